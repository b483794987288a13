# Deutsch.

## Every page
skip = Zum Inhalt springen
footnote = Bereitgestellt von { $brand }
account = Ihr Konto
sign-in = Anmelden
sign-out = Abmelden
signed-in-as = Angemeldet als { $user }
not-you = Das sind nicht Sie?
use-another-account = Anderes Konto verwenden
username = Benutzername
password = Passwort
wait-seconds = { $count ->
    [one] { $count } Sekunde
   *[other] { $count } Sekunden
}
wait-minutes = { $count ->
    [one] { $count } Minute
   *[other] { $count } Minuten
}

## Dates
month-1 = Januar
month-2 = Februar
month-3 = März
month-4 = April
month-5 = Mai
month-6 = Juni
month-7 = Juli
month-8 = August
month-9 = September
month-10 = Oktober
month-11 = November
month-12 = Dezember
day = { $date }. { $month } { $year }
moment = { $day }, { $time } UTC

## Sign in
sign-in-title = Anmelden
sign-in-to-client = und weiter zu { $client }
sign-in-to-brand = mit Ihrem Konto bei { $brand }
sign-in-wrong = Benutzername oder Passwort stimmt nicht. Bitte prüfen Sie beides und versuchen Sie es noch einmal.
sign-in-throttled = Zu viele Versuche. Bitte warten Sie { $wait } und versuchen Sie es dann noch einmal.
sign-in-expired = Diese Seite war zu lange offen, es wurde nichts gesendet. Bitte melden Sie sich noch einmal an.
sign-in-other-account = Die App erwartet ein anderes Konto. Melden Sie sich mit diesem Konto an, oder gehen Sie zurück zur App.
sign-in-with = Mit { $provider } anmelden
sign-in-or = oder
sign-in-denied = { $provider } hat Sie nicht eingelassen, oder Sie haben dort abgebrochen. Versuchen Sie es noch einmal, oder melden Sie sich anders an.
sign-in-failed = Die Anmeldung mit { $provider } hat nicht geklappt. Bitte versuchen Sie es noch einmal. Wenn es so bleibt, sagen Sie es denen, die diesen Server betreiben.
sign-in-unreachable = { $provider } ist gerade nicht erreichbar. Bitte versuchen Sie es bald noch einmal, oder melden Sie sich anders an.
sign-in-not-fresh = Die App verlangt eine frische Anmeldung, und { $provider } hat Sie nicht danach gefragt. Melden Sie sich dort ab, und versuchen Sie es dann noch einmal.
sign-in-no-account = Zu Ihrem Konto bei { $provider } gehört hier keines. Melden Sie sich anders an, oder fragen Sie die, die diesen Server betreiben.

## Signed in
signed-in-title = Sie sind angemeldet
signed-in-text = Sie können diese Seite schließen oder Ihr Konto ansehen.

## Consent
consent-title = Darf { $client } Ihr Konto verwenden?
consent-first = Diese App hatte bisher keinen Zugriff.
consent-more = Diese App hat schon Zugriff und bittet nun um mehr. Was neu ist, ist markiert.
consent-again = Sie haben das schon einmal erlaubt. Die App bittet Sie, es zu bestätigen.
consent-list = Sie möchte Folgendes dürfen:
consent-nothing = Die App möchte nur wissen, dass Sie angemeldet sind.
consent-new = Neu
consent-sensitive = Sensibel
consent-host = Sie werden zu { $host } geleitet. Fahren Sie nur fort, wenn Sie diese Adresse kennen und ihr vertrauen.
consent-app = Sie kehren zu einer App auf diesem Gerät zurück. Fahren Sie nur fort, wenn Sie diese App selbst geöffnet haben.
consent-approve = Erlauben
consent-deny = Ablehnen
consent-take-back = Sie können das jederzeit zurücknehmen:
scope-openid = Wissen, wer Sie sind, anhand einer Kennung Ihres Kontos
scope-profile = Ihr Profil sehen, etwa Name und Bild
scope-email = Ihre E-Mail-Adresse sehen
scope-address = Ihre Postanschrift sehen
scope-phone = Ihre Telefonnummer sehen
scope-offline_access = Diesen Zugriff behalten, auch während Sie die App nicht verwenden
scope-unknown = Die Berechtigung „{ $scope }“ verwenden

## Sign out
sign-out-title = Abmelden?
sign-out-asked = { $client } bittet darum, Sie abzumelden.
sign-out-text = Sie werden in diesem Browser abgemeldet. Was Apps weiterhin dürfen, steht in Ihrem Konto.
sign-out-stay = Angemeldet bleiben
signed-out-title = Sie sind abgemeldet
signed-out-text = Wenn andere dieses Gerät benutzen, schließen Sie auch alle Fenster des Browsers.
signed-out-again = Wieder anmelden

## Return to the client
form-post-title = Zurück zur App
form-post-text = Ihr Browser bringt Sie zurück zu { $host }. Wenn nichts geschieht, drücken Sie den Knopf.
form-post-button = Weiter

## Devices
device-title = Ein Gerät verbinden
device-text = Geben Sie den Code ein, den Ihr Gerät anzeigt.
device-compare = Ein Link hat diesen Code mitgebracht. Fahren Sie nur fort, wenn Ihr Gerät denselben zeigt.
device-code = Code
device-hint = Groß oder klein, mit oder ohne Bindestrich.
device-continue = Weiter
device-unknown = Dieser Code ist nicht bekannt oder abgelaufen. Prüfen Sie ihn, oder lassen Sie sich vom Gerät einen neuen zeigen.
device-throttled = Zu viele Versuche. Bitte warten Sie { $wait } und versuchen Sie es dann noch einmal.
device-expired = Diese Seite war zu lange offen, es wurde nichts gesendet. Bitte geben Sie den Code noch einmal ein.
device-confirm-title = { $client } mit Ihrem Konto verbinden?
device-confirm-code = Ihr Gerät muss diesen Code zeigen
device-confirm-from = Die Anfrage kam von
device-confirm-agent = Das Gerät nennt sich
device-confirm-when = Gefragt hat es am
device-confirm-warning = Fahren Sie nur fort, wenn Sie selbst damit begonnen haben und das Gerät vor sich haben. Hat Ihnen jemand diesen Code geschickt, lehnen Sie ab.
device-done-title = Ihr Gerät ist verbunden
device-done-text = { $client } hat nun den Zugriff, den Sie erlaubt haben. Kehren Sie zu Ihrem Gerät zurück; diese Seite können Sie schließen.
device-denied-title = Das Gerät wurde nicht verbunden
device-denied-text = { $client } hat keinen Zugriff. Sie können diese Seite schließen.

## Account
account-title = Ihr Konto
account-alerts = Was Sie wissen sollten
account-apps = Apps mit Zugriff
account-apps-none = Keine App hat Zugriff auf Ihr Konto.
account-since = Seit { $day }
account-last-used = zuletzt benutzt { $moment }
account-withdraw = Zugriff entziehen
account-withdraw-of = Zugriff entziehen: { $client }
account-end-session = Beenden
account-end-session-of = { $client } auf { $agent } beenden
account-unknown-agent = Unbekanntes Gerät
account-agent-on = { $browser } auf { $system }
account-sign-ins = Wo Sie angemeldet sind
account-sign-ins-text = Ist etwas dabei, das Sie nicht kennen? Melden Sie es ab und ändern Sie Ihr Passwort.
account-sign-ins-more = Das sind die neuesten. Es gibt noch mehr, und „Überall sonst abmelden“ beendet auch diese.
account-current = Dieser Browser
account-from = von { $address }, seit { $moment }
account-end = Abmelden
account-end-of = Abmelden: { $agent }
account-end-all = Überall sonst abmelden
account-links = Andere Wege, sich anzumelden
account-unlink = Entfernen
account-unlink-of = { $provider } entfernen
account-password = Passwort ändern
account-password-current = Bisheriges Passwort
account-password-new = Neues Passwort
account-password-again = Neues Passwort, noch einmal
account-password-hint = { $count ->
    [one] Mindestens { $count } Zeichen. Gut sind ein paar Wörter, die nur Sie so zusammenstellen.
   *[other] Mindestens { $count } Zeichen. Gut sind ein paar Wörter, die nur Sie so zusammenstellen.
}
account-password-save = Passwort ändern
account-password-wrong = Das bisherige Passwort stimmt nicht.
account-password-differ = Die beiden neuen Passwörter sind nicht gleich.
account-password-weak = Dieses Passwort ist zu kurz oder zu leicht zu erraten. Bitte wählen Sie ein anderes.
account-notice-password = Ihr Passwort ist geändert.
account-notice-withdrawn = Die App hat keinen Zugriff mehr.
account-notice-session-ended = Die App ist dort abgemeldet. Sie kann wieder um Zugriff bitten.
account-notice-ended = Dort abgemeldet.
account-notice-ended-all = Überall sonst abgemeldet.
account-notice-expired = Diese Seite war zu lange offen, es wurde nichts geändert. Bitte versuchen Sie es noch einmal.
account-notice-unlinked = Auf diesem Weg können Sie sich nicht mehr anmelden.
account-notice-last-way = Es ist der einzige Weg in Ihr Konto, deshalb bleibt er.
account-alert-elsewhere = einer unbekannten Adresse
account-alert-refresh-reused = Ein Zugangsschlüssel von { $client } wurde zweimal benutzt; vielleicht hat ihn jemand kopiert. Wir haben diesen Zugriff beendet. Verbinden Sie die App neu, und melden Sie es den Herstellern, falls es wieder vorkommt.
account-alert-refresh-late = { $client } kam mit einem abgelaufenen Zugangsschlüssel zurück. Wir haben diesen Zugriff beendet. Falls Sie die App noch benutzen, verbinden Sie sie neu.
account-alert-code-replayed = Eine Anmeldung bei { $client } wurde zweimal benutzt; vielleicht hat sie jemand abgefangen. Wir haben diesen Zugriff beendet. Verbinden Sie die App neu, in einem Netz, dem Sie vertrauen.
account-alert-sign-in-failures = { $count }-mal wurde ein falsches Passwort für Ihr Konto eingegeben, zuletzt von { $address } aus. Falls Sie das nicht waren, achten Sie auf ein gutes Passwort.
account-alert-password-changed = Ihr Passwort wurde von { $address } aus geändert. Falls Sie das nicht waren, wenden Sie sich jetzt an die Betreiber dieses Servers.
account-alert-link-made = Ihr Konto wurde mit einem anderen Anbieter verbunden, von { $address } aus. Wenn Sie das nicht waren, entfernen Sie die Verbindung unten und sprechen Sie mit denen, die diesen Server betreiben.
account-alert-link-removed = Ein Weg, sich über einen anderen Anbieter in Ihr Konto anzumelden, wurde entfernt.

## Errors
error-app-title = Die App hat Sie falsch hierher geschickt
error-app-text = Dieser Server kennt die App nicht, oder der Link der App ist unvollständig oder führt zu einer Adresse, die nicht eingetragen ist. Gehen Sie zurück zur App und versuchen Sie es noch einmal. Wenn es so bleibt, sagen Sie es den Herstellern der App.
error-sign-out-title = Die Abmeldung ist nicht gelungen
error-sign-out-text = Diese Seite war zu lange offen, oder die App hat Sie falsch hierher geschickt. Sie können sich auf der Seite Ihres Kontos abmelden.
error-expired-title = Diese Seite ist zu alt
error-expired-text = Sie war zu lange offen, oder sie gehört zu einer anderen Anmeldung. Es wurde nichts geändert. Gehen Sie zurück zur App und beginnen Sie von vorn.
error-unreadable-title = Diese Anfrage ist nicht lesbar
error-unreadable-text = Der Link oder das Formular ist vielleicht unvollständig. Gehen Sie zurück und versuchen Sie es noch einmal. Wenn eine App Sie hierher geschickt hat, sagen Sie es ihren Herstellern.
error-not-found-title = Diese Seite gibt es nicht
error-not-found-text = Unter dieser Adresse ist nichts. Vielleicht ist die Seite umgezogen, oder der Link ist unvollständig.
error-method-title = So lässt sich diese Seite nicht verwenden
error-method-text = Es wurde nichts geändert. Gehen Sie zurück, laden Sie die Seite neu und verwenden Sie ihre eigenen Knöpfe.
error-too-large-title = Das ist zu viel auf einmal
error-too-large-text = Der Link, das Formular oder die Cookies dieses Browsers sind größer, als dieser Server liest. Senden Sie weniger, oder löschen Sie die Cookies dieser Seite und versuchen Sie es noch einmal.
error-too-many-title = Zu viele Anfragen
error-too-many-text = In so kurzer Zeit kamen mehr Anfragen, als erlaubt sind. Bitte warten Sie ein wenig und versuchen Sie es dann noch einmal.
error-internal-title = Bei uns ist etwas schiefgegangen
error-internal-text = Der Server konnte diese Anfrage nicht beenden. Bitte versuchen Sie es gleich noch einmal. Wenn es so bleibt, nennen Sie dem Betreiber die Anfragenummer.
error-unavailable-title = Im Moment nicht erreichbar
error-unavailable-text = Der Server kann gerade nicht antworten. Bitte versuchen Sie es gleich noch einmal.
error-detail = Für die Entwickler der App
error-request-id = Anfragenummer
error-home = Zurück zum Anfang
