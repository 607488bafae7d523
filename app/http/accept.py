"""Reads Accept (RFC 9110, section 12.5.1): an answer as a page, or as a document."""

JSON = "application/json"
HTML = "text/html"
LIMIT = 1024  # bytes; a longer header counts as absent


def wants_page(accept: str | None) -> bool:
    """Whether HTML is preferred to JSON, as a browser does."""
    ranges = weights(accept)
    return _weight(ranges, HTML) > _weight(ranges, JSON)


def weights(accept: str | None) -> dict[str, float]:
    """The weight of each media range. A malformed weight is 0.

    No media type of this service has a quoted parameter, so a comma ends an element even in quotes.
    """
    if accept is None or len(accept) > LIMIT:
        return {}
    ranges = {}
    for element in accept.lower().split(","):
        media, *parameters = (part.strip() for part in element.split(";"))
        ranges[media] = next((_number(value[2:]) for value in parameters if value.startswith("q=")), 1.0)
    return ranges


def _number(weight: str) -> float:
    try:
        return max(0.0, min(1.0, float(weight)))
    except ValueError:
        return 0.0


def _weight(ranges: dict[str, float], media: str) -> float:
    """The weight of a media type, by the most specific range that includes it."""
    kind = media.partition("/")[0]
    specific = (ranges[name] for name in (media, f"{kind}/*", "*/*") if name in ranges)
    return next(specific, 0.0)
