
## Playground
play-title = Playground
play-lead = Every OAuth flow, one request at a time. All of it is real: your browser asks, this server answers, and you see both.
play-who = Sign in as `{ $user }` with the password that the server printed at its first start. This page plays `{ $app }`, an app without a secret: a browser cannot keep one.
play-reset = Start over
play-nav = Flows
play-tab-pkce = Sign in with PKCE
play-tab-refresh = Refresh
play-tab-revoke = Sign out
play-tab-device = Device
play-tab-service = Service
play-what-if = What if …
play-need = There are no tokens yet, or they are dead. Get some first:

## Playground: code with PKCE
play-pkce-text = You sign in here and agree, and the app comes away with tokens without ever seeing your password. PKCE makes sure that only the app that began can finish: it begins with a hash, and finishes with the secret behind the hash.
play-make = Make a secret for this attempt
play-make-text = The app makes up a secret and hashes it. The hash goes out first, and anyone may see it. The secret comes last, and goes to the server alone.
play-verifier = The secret: 32 random bytes in base64url. For now it stays in this tab.
play-hash = The hash of the verifier, byte by byte. Nobody gets from here back to the secret.
play-challenge = The same bytes in base64url, without padding. This is what goes out.
play-state = Random. It must come back as it is: an answer with another one was not asked for here.
play-nonce = Random. It comes back inside the id_token, so that nobody can slip in an older one.
play-make-again = Make new values
play-go = Send the browser to the server
play-go-text = The app sends the browser to this address. What you do there, it does not see.
play-p-response-type = The app wants a code, not tokens: others can see what stands in an address.
play-p-client-id = Which app asks.
play-p-redirect-uri = Where the browser comes back to. It must equal a registered address, letter for letter.
play-p-scope = What the app asks for. You see it in plain words, and can say no.
play-p-state = Comes back unchanged.
play-p-nonce = Comes back inside the id_token.
play-p-challenge = The hash of step 1.
play-p-method = The challenge is a SHA-256 hash. Nothing weaker is taken.
play-whole = The whole address
play-go-button = Sign in and come back
play-if-no-pkce = … there is no challenge?
play-back = Come back with a code
play-back-wait = Nothing has come back yet. Do step 2 first.
play-back-text = The code came in the address, and this page took it out of there at once, so that it does not stay in the history. It works once, for a minute at most, and only together with the secret.
play-trade = Trade the code for tokens
play-trade-text = Now the secret is shown. The server hashes it and compares the result with the challenge of step 2. Someone who caught the code on its way does not have the secret.
play-trade-button = Trade the code
play-if-verifier = … the secret is a wrong one?
play-if-missing = … no secret is sent?
play-if-redirect = … the redirect URI differs?
play-if-twice = … the code is used twice?
play-id = Check the id_token
play-id-text = The id_token tells the app who signed in. Everyone can read it, and everyone could write one; so an app believes it only after these checks.
play-id-button = Check it
play-use = Use the access token
play-use-text = It goes into the `Authorization` header, and never into an address.
play-use-button = Ask who I am

## Playground: refresh
play-refresh-text = An access token lives for minutes. The refresh token brings the next one without asking you again, and is itself replaced each time.
play-rotate = Get the next tokens
play-rotate-text = One request, two new tokens. The refresh token that was sent is void from now on.
play-rotate-button = Refresh
play-old = Used, and void
play-new = In its place
play-reuse = Present the old one again
play-reuse-text = If a refresh token comes twice, two parties hold it, and the server cannot know which of them is the thief. So the whole session ends, however late the second use comes.
play-reuse-button = Present the old one
play-keep = Where a real app keeps its tokens
play-keep-text = This page holds them in memory and in the `sessionStorage` of this tab, so that a reload does not lose them. Every script on the page could read them there. A real app keeps the access token in memory and the refresh token in an `HttpOnly` cookie, which no script can read.

## Playground: sign out
play-revoke-text = Signing out of an app and signing out of this server are two things.
play-revoke = Sign out of the app
play-revoke-does = The app gives its refresh token back. The whole session ends with it: the access token is dead at once, although its time is not over.
play-revoke-button = Revoke
play-leave = Sign out of this server
play-leave-text = You are still signed in here, and the next app would not ask for your password. Only you end that.

## Playground: device
play-device-text = A television has no good keyboard, and a terminal no browser. It shows a short code, you enter the code on your phone, and meanwhile the device asks whether you have agreed.
play-device-ask = The device asks for a code
play-device-ask-text = It says who it is and what it wants. No person is involved yet.
play-device-ask-button = Ask for a code
play-device-enter = You enter the code
play-device-enter-text = Open the address on any device, sign in, compare the code and agree. Here it may simply be a new tab.
play-device-address = Address
play-device-code = Code
play-device-open = Open it in a new tab
play-device-qr = QR code of this address
play-device-poll = The device waits
play-device-poll-text = It asks again and again, and not faster than it was told.
play-device-interval = Seconds between two requests
play-device-hurry = Ask too soon
play-device-stop = Stop asking

## Playground: service
play-service-text = A service acts for itself: no person, no browser, one request with a secret of its own. A secret does not belong in a browser, where anyone can read it. This is the command for a terminal:
play-service-run = Try it here, this once
play-service-run-text = Paste the secret of `{ $service }`, which the server printed at its first start. It goes to this server only and is stored nowhere: a reload forgets it.
play-service-secret = Client secret
play-service-button = Ask for a token
play-introspect = Ask what a token is worth
play-introspect-text = A service that is handed a token asks the server about it. A dead token, a made-up one and one that is none of its business get the same answer: not active.
play-introspect-token = Token
play-introspect-button = Introspect

## Playground: without JavaScript
play-noscript = This page shows requests while they happen, and needs JavaScript for it. No other page here does. With a terminal, the same goes like this:
play-curl-open = Print the address, open it here, and copy the code from the address bar afterwards

## Playground: words that its script shows
play-w-request = Request
play-w-answer = Answer
play-w-curl = The same with curl
play-w-type = What this error means
play-w-header = Header
play-w-payload = Payload
play-w-network = The server did not answer. Check that it is still running, then try again.
play-w-crypto = This browser computes hashes only under HTTPS and on localhost. Open the page under such an address.
play-w-error = The browser came back with an error instead of a code.
play-w-state-ok = The state is the one that was sent.
play-w-state-bad = The state is not the one that was sent. An app stops here.
play-w-iss-ok = The answer comes from this issuer.
play-w-iss-bad = The answer comes from another issuer. An app stops here.
play-w-signature-ok = The signature fits a key that the server publishes.
play-w-signature-bad = The signature fits no key that the server publishes.
play-w-issuer-ok = It was issued by this server.
play-w-issuer-bad = It was issued by someone else.
play-w-audience-ok = It is meant for this app.
play-w-audience-bad = It is meant for another app.
play-w-time-ok = It has not expired.
play-w-time-bad = It has expired.
play-w-nonce-ok = The nonce is the one of step 1.
play-w-nonce-bad = The nonce is not the one of step 1.
play-w-at-hash-ok = It belongs to this access token: at_hash fits.
play-w-at-hash-bad = It belongs to another access token: at_hash does not fit.
play-w-why-no-pkce = PKCE is required of every app, so a request without a challenge ends before anyone is asked to sign in.
play-w-why-verifier = The hash of this secret is not the challenge, so there are no tokens. The code is still good: whoever tries without the secret cannot even use it up.
play-w-why-missing = Without the secret nobody is asked further. The code is still good.
play-w-why-redirect = The code was sent to another address than this one. The code is still good.
play-w-why-twice = A code works once. A second use means that someone else has it too, so everything that the first use brought is dead as well: see the answer to the access token below.
play-w-why-reuse = The old refresh token came a second time. The session is over, and the newest tokens with it: see the answer to the access token below.
play-w-why-dead = The access token is dead at once, although its time was not over.
play-w-why-revoked = Revoked. The answer is the same for a token that nobody knows.
play-w-device-absent = This server does not offer the device flow.
play-w-device-waiting = Nobody has decided yet.
play-w-device-slower = Too fast. From now on the device waits five seconds longer.
play-w-device-approved = Allowed. The device has its tokens.
play-w-device-denied = Denied. The device gets nothing.
play-w-device-expired = The code has expired. The device must ask for a new one.
