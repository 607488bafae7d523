"""The worker with its tasks, and the letters sent by e-mail.

It offers: `worker.work`; Mailer, and `letters` for the texts; `outside`, which speaks to the systems of others.
"""
