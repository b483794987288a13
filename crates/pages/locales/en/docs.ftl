
## Docs
docs-eyebrow = API reference
docs-address = Address
docs-machines = For programs
docs-contents = On this page

## Docs: try it
docs-try-title = Try it
docs-try-text = Sign in, and each operation below can be sent from this page. The token stays in the memory of this page: a reload forgets it.
docs-elsewhere = This page was opened under another name of the server. Signing in works at
docs-signed = Signed in
docs-forget = Give the token back
docs-demonstration = This is a demonstration. Sign in as `{ $user }` with the password that the server printed at its first start.
docs-client = Client ID
docs-client-hint = A public client that is registered for this page.
docs-scopes = Scopes
docs-sign-in = Sign in
docs-register = Register a client for this page
docs-register-text = Whoever operates this server runs this once, and tells you the client ID.
docs-paste = Use a token that you have
docs-paste-token = Access token
docs-paste-use = Use it

## Docs: get a token
docs-token = Get a token
docs-token-text = Each request carries `Authorization: Bearer` and an access token of this server. A service that speaks for itself gets one in two steps.
docs-step-register = Register the service
docs-step-ask = Ask for a token
docs-token-people = An app that people use sends them to `/authorize`, with PKCE.
docs-metadata = All endpoints
docs-scope = Scope
docs-allows = What it allows

## Docs: reference
docs-conventions = What always holds
docs-owned = A user sees what was made in their name. A client that speaks for itself sees all.
docs-field = Field
docs-type = Type
docs-holds = What holds
docs-required = required
docs-read-only = read-only
docs-unique = unique
docs-default = default
docs-filter = filter
docs-sort = sort
docs-search = search
docs-references = points at { $resource }
docs-under = Also below `{ $address }`
docs-operations = Operations
docs-needs = Needs the scope `{ $scope }`
docs-needs-none = Any valid token will do
docs-try = Try it
docs-parameters = Parameters
docs-body = Body
docs-curl = From a shell
docs-answers = Answers

## Docs: what the script says
docs-w-path = Path
docs-w-query = Query
docs-w-header = Headers
docs-w-body = Body
docs-w-media-type = Media type
docs-w-json = JSON
docs-w-any = – any –
docs-w-compare = How to compare
docs-w-send = Send
docs-w-answer = Answer
docs-w-headers = Headers of the answer
docs-w-curl = The same from a shell
docs-w-explained = What this means
docs-w-empty = The answer has no body.
docs-w-use-id = Use this id in the forms of
docs-w-used-id = It stands in the forms now
docs-w-network = The server did not answer. Check the connection and try again.
docs-w-no-token = There is no token yet: the answer will be 401.
docs-w-sign-in = Sign in
docs-w-who = Signed in
docs-w-who-none = Not signed in
docs-w-until = until
docs-w-state = The browser came back with an answer that this page did not ask for. Nothing was done with it; sign in again.
docs-w-refused = Signing in did not work:
docs-w-crypto = This browser makes no hashes on a page without HTTPS. Open the page by HTTPS or as localhost, or use a token that you have.

# Versions
docs-versions = Versions
docs-versions-text = Say which one you mean in the path, as in `/api/v1`, in `X-API-Version`, or as a parameter of `Accept`. Without a word, it is the newest.
docs-version = Version { $number }
docs-released = since { $day }
docs-sunset = sunset { $day }
docs-removed = gone from { $day }
docs-state-planned = planned
docs-state-active = active
docs-state-deprecated = deprecated
docs-state-sunset = sunset
docs-state-removed = removed
docs-ends = This version is deprecated since { $since }. Its sunset is on { $sunset }. Use version { $newest }.
docs-ending = This version is past its sunset, and is gone from { $removed } on. Use version { $newest }.
docs-ended = This version is past its sunset. Use version { $newest }.
docs-successor = Read about it
docs-change-renamed = `{ $place }`: `{ $from }` is called `{ $to }`.
docs-change-retyped = `{ $place }` is { $to }. It was { $from }.
docs-change-added = `{ $place }` is new.
docs-change-removed = `{ $place }` is gone.
docs-change-reworded = `{ $place }`: the word `{ $from }` is `{ $to }`.
docs-change-moved = `{ $place }`: `{ $from }` stands at `{ $to }`.
docs-change-status = `{ $place }` answers with { $to }. It was { $from }.
