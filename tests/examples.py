"""How many examples a property test tries: few in `make test`, many in `make proof`."""

from hypothesis import HealthCheck, settings

from tests.preuve import selon

EXAMPLES = settings(max_examples=selon(12, 300), deadline=None, suppress_health_check=list(HealthCheck))
# A walk of a state machine takes 40 steps.
WALKS = settings(EXAMPLES, max_examples=selon(5, 100), stateful_step_count=40)
