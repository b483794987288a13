# English. Each language has the same messages; a test compares them.

## Every page
skip = Skip to content
footnote = Served by { $brand }
account = Your account
sign-in = Sign in
sign-out = Sign out
signed-in-as = Signed in as { $user }
not-you = Not you?
use-another-account = Use another account
username = Username
password = Password
wait-seconds = { $count ->
    [one] { $count } second
   *[other] { $count } seconds
}
wait-minutes = { $count ->
    [one] { $count } minute
   *[other] { $count } minutes
}

## Dates
month-1 = January
month-2 = February
month-3 = March
month-4 = April
month-5 = May
month-6 = June
month-7 = July
month-8 = August
month-9 = September
month-10 = October
month-11 = November
month-12 = December
day = { $date } { $month } { $year }
moment = { $day }, { $time } UTC

## Sign in
sign-in-title = Sign in
sign-in-to-client = to continue to { $client }
sign-in-to-brand = to your account at { $brand }
sign-in-wrong = The username or the password is not right. Please check both and try again.
sign-in-throttled = Too many attempts. Please wait { $wait }, then try again.
sign-in-expired = This page was open for too long, and nothing was sent. Please sign in again.
sign-in-other-account = The app expects another account. Sign in with that account, or go back to the app.
sign-in-with = Sign in with { $provider }
sign-in-or = or
sign-in-denied = { $provider } did not let you in, or you cancelled there. Try again, or sign in another way.
sign-in-failed = Signing in with { $provider } did not work. Please try again. If it stays, tell the people who run this server.
sign-in-unreachable = { $provider } cannot be reached at the moment. Please try again soon, or sign in another way.
sign-in-not-fresh = The app asks for a fresh sign-in, and { $provider } did not ask you for one. Sign out there, then try again.
sign-in-no-account = No account here belongs to the one you have at { $provider }. Sign in another way, or ask the people who run this server.

## Signed in
signed-in-title = You are signed in
signed-in-text = You can close this page, or look after your account.

## Consent
consent-title = Allow { $client } to use your account?
consent-first = You have not given this app any access before.
consent-more = This app already has some access and now asks for more. What is new is marked.
consent-again = You have allowed this before. The app asks you to confirm it.
consent-list = It asks for permission to:
consent-nothing = The app only asks to know that you have signed in.
consent-new = New
consent-sensitive = Sensitive
consent-host = You will be sent to { $host }. Go on only if you know and trust this address.
consent-app = You will be sent back to an app on this device. Go on only if you opened it yourself.
consent-approve = Allow
consent-deny = Deny
consent-take-back = You can take this back at any time:
scope-openid = Know who you are, by an id of your account
scope-profile = See your profile, such as your name and picture
scope-email = See your email address
scope-address = See your postal address
scope-phone = See your phone number
scope-offline_access = Keep this access while you are not using the app
scope-unknown = Use the permission “{ $scope }”

## Sign out
sign-out-title = Sign out?
sign-out-asked = { $client } asks to sign you out.
sign-out-text = You will be signed out of this browser. Your account shows which apps keep their access.
sign-out-stay = Stay signed in
signed-out-title = You are signed out
signed-out-text = If others use this device, close all windows of the browser too.
signed-out-again = Sign in again

## Return to the client
form-post-title = Back to the app
form-post-text = Your browser takes you back to { $host }. If nothing happens, press the button.
form-post-button = Continue

## Devices
device-title = Connect a device
device-text = Enter the code that your device shows.
device-compare = A link brought this code. Go on only if your device shows the same one.
device-code = Code
device-hint = Capital or small letters, with or without the dash.
device-continue = Continue
device-unknown = This code is not known, or it has expired. Check it, or ask your device for a new one.
device-throttled = Too many attempts. Please wait { $wait }, then try again.
device-expired = This page was open for too long, and nothing was sent. Please enter the code again.
device-confirm-title = Connect { $client } to your account?
device-confirm-code = Your device must show this code
device-confirm-from = The request came from
device-confirm-agent = The device calls itself
device-confirm-when = It asked on
device-confirm-warning = Go on only if you started this yourself and have the device in front of you. If someone sent you this code, deny.
device-done-title = Your device is connected
device-done-text = { $client } now has the access you allowed. You can go back to your device and close this page.
device-denied-title = The device was not connected
device-denied-text = { $client } has no access. You can close this page.

## Account
account-title = Your account
account-alerts = What you should know
account-apps = Apps with access
account-apps-none = No app has access to your account.
account-since = Since { $day }
account-last-used = last used { $moment }
account-withdraw = Remove access
account-withdraw-of = Remove access for { $client }
account-end-session = End
account-end-session-of = End { $client } on { $agent }
account-unknown-agent = Unknown device
account-agent-on = { $browser } on { $system }
account-sign-ins = Where you are signed in
account-sign-ins-text = Something you do not recognise? Sign it out and change your password.
account-sign-ins-more = These are the newest. There are more, and “Sign out everywhere else” ends those too.
account-current = This browser
account-from = from { $address }, since { $moment }
account-end = Sign out
account-end-of = Sign out { $agent }
account-end-all = Sign out everywhere else
account-links = Other ways to sign in
account-unlink = Remove
account-unlink-of = Remove { $provider }
account-password = Change your password
account-password-current = Current password
account-password-new = New password
account-password-again = New password, once more
account-password-hint = { $count ->
    [one] At least { $count } character. A few words that only you would put together are good.
   *[other] At least { $count } characters. A few words that only you would put together are good.
}
account-password-save = Change password
account-password-wrong = The current password is not right.
account-password-differ = The two new passwords are not the same.
account-password-weak = This password is too short or too easy to guess. Please choose another.
account-notice-password = Your password is changed.
account-notice-withdrawn = The app has no access any more.
account-notice-session-ended = The app is signed out there. It can ask for access again.
account-notice-ended = Signed out there.
account-notice-ended-all = Signed out everywhere else.
account-notice-expired = This page was open for too long, and nothing was changed. Please try again.
account-notice-unlinked = You cannot sign in that way any more.
account-notice-last-way = It is the only way to sign in to your account, so it stays.
account-alert-elsewhere = an unknown address
account-alert-refresh-reused = A token of { $client } was used twice, so someone may have copied it. We ended that access. Connect the app again, and tell its makers if this repeats.
account-alert-refresh-late = { $client } came back with a token that had expired. We ended that access. If you still use the app, connect it again.
account-alert-code-replayed = A sign-in to { $client } was used twice, so someone may have intercepted it. We ended that access. Connect the app again from a network that you trust.
account-alert-sign-in-failures = Someone typed a wrong password for your account { $count } times, most recently from { $address }. If that was not you, make sure that your password is good.
account-alert-password-changed = Your password was changed from { $address }. If that was not you, talk to the people who run this server now.
account-alert-link-made = Your account was linked with another provider, from { $address }. If that was not you, remove it below and talk to the people who run this server.
account-alert-link-removed = A way to sign in to your account through another provider was removed.

## Errors
error-app-title = The app sent you here in a wrong way
error-app-text = This server does not know the app, or the link of the app is incomplete or leads to an address that is not registered. Go back to the app and try again. If it stays, tell the people who make the app.
error-sign-out-title = The sign-out did not work
error-sign-out-text = This page was open for too long, or the app sent you here in a wrong way. You can sign out on the page of your account.
error-expired-title = This page is too old
error-expired-text = It was open for too long, or it belongs to another sign-in. Nothing was changed. Go back to the app and start again.
error-unreadable-title = This request cannot be read
error-unreadable-text = The link or the form may be incomplete. Go back and try again. If an app sent you here, tell the people who make it.
error-not-found-title = This page does not exist
error-not-found-text = There is nothing at this address. It may have moved, or the link may be incomplete.
error-method-title = This page cannot be used like that
error-method-text = Nothing was changed. Go back, load the page again, and use its own buttons.
error-too-large-title = This is too much at once
error-too-large-text = The link, the form or the cookies of this browser are larger than this server reads. Send less, or delete the cookies of this page and try again.
error-too-many-title = Too many requests
error-too-many-text = More requests came than are allowed in so short a time. Please wait a little, then try again.
error-internal-title = Something went wrong on our side
error-internal-text = The server could not finish this request. Please try again in a moment. If it stays, tell the operator the request id.
error-unavailable-title = Not available at the moment
error-unavailable-text = The server cannot answer just now. Please try again in a moment.
error-detail = For the developer of the app
error-request-id = Request id
error-home = Back to the start
