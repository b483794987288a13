
## Docs
docs-eyebrow = API-Referenz
docs-address = Adresse
docs-machines = Für Programme
docs-contents = Auf dieser Seite

## Docs: try it
docs-try-title = Ausprobieren
docs-try-text = Nach der Anmeldung kann jede Operation von dieser Seite aus gesendet werden. Das Token bleibt im Speicher dieser Seite: Neu laden vergisst es.
docs-elsewhere = Diese Seite wurde unter einem anderen Namen des Servers geöffnet. Die Anmeldung geht unter
docs-signed = Angemeldet
docs-forget = Token zurückgeben
docs-demonstration = Dies ist eine Vorführung. Melden Sie sich als `{ $user }` an, mit dem Passwort, das der Server beim ersten Start ausgegeben hat.
docs-client = Client-ID
docs-client-hint = Ein öffentlicher Client, der für diese Seite registriert ist.
docs-scopes = Berechtigungen (Scopes)
docs-sign-in = Anmelden
docs-register = Einen Client für diese Seite registrieren
docs-register-text = Wer diesen Server betreibt, führt dies einmal aus und nennt Ihnen die Client-ID.
docs-paste = Ein vorhandenes Token verwenden
docs-paste-token = Access-Token
docs-paste-use = Verwenden

## Docs: get a token
docs-token = Ein Token bekommen
docs-token-text = Jede Anfrage trägt `Authorization: Bearer` und ein Access-Token dieses Servers. Ein Dienst, der für sich selbst spricht, bekommt es in zwei Schritten.
docs-step-register = Den Dienst registrieren
docs-step-ask = Ein Token anfordern
docs-token-people = Eine App, die Menschen benutzen, schickt sie zu `/authorize`, mit PKCE.
docs-metadata = Alle Endpunkte
docs-scope = Scope
docs-allows = Was er erlaubt

## Docs: reference
docs-conventions = Was immer gilt
docs-owned = Ein Benutzer sieht, was in seinem Namen angelegt wurde. Ein Client, der für sich selbst spricht, sieht alles.
docs-field = Feld
docs-type = Typ
docs-holds = Was gilt
docs-required = Pflicht
docs-read-only = nur lesbar
docs-unique = eindeutig
docs-default = Vorgabe
docs-filter = filterbar
docs-sort = sortierbar
docs-search = durchsuchbar
docs-references = verweist auf { $resource }
docs-under = Auch unter `{ $address }`
docs-operations = Operationen
docs-needs = Braucht den Scope `{ $scope }`
docs-needs-none = Jedes gültige Token genügt
docs-try = Ausprobieren
docs-parameters = Parameter
docs-body = Inhalt
docs-curl = In der Shell
docs-answers = Antworten

## Docs: what the script says
docs-w-path = Pfad
docs-w-query = Abfrage
docs-w-header = Header
docs-w-body = Inhalt
docs-w-media-type = Medientyp
docs-w-json = JSON
docs-w-any = – beliebig –
docs-w-compare = Vergleich für
docs-w-send = Senden
docs-w-answer = Antwort
docs-w-headers = Header der Antwort
docs-w-curl = Dasselbe in der Shell
docs-w-explained = Was das bedeutet
docs-w-empty = Die Antwort hat keinen Inhalt.
docs-w-use-id = Diese ID verwenden in den Formularen von
docs-w-used-id = Sie steht jetzt in den Formularen
docs-w-network = Der Server hat nicht geantwortet. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.
docs-w-no-token = Es gibt noch kein Token: Die Antwort wird 401 sein.
docs-w-sign-in = Anmelden
docs-w-who = Angemeldet
docs-w-who-none = Nicht angemeldet
docs-w-until = bis
docs-w-state = Der Browser kam mit einer Antwort zurück, um die diese Seite nicht gebeten hat. Damit ist nichts geschehen; melden Sie sich noch einmal an.
docs-w-refused = Die Anmeldung ging nicht:
docs-w-crypto = Dieser Browser rechnet auf einer Seite ohne HTTPS keine Hashes. Öffnen Sie die Seite mit HTTPS oder als localhost, oder verwenden Sie ein vorhandenes Token.

# Versionen
docs-versions = Versionen
docs-versions-text = Welche gemeint ist, steht im Pfad, etwa `/api/v1`, in `X-API-Version` oder als Parameter von `Accept`. Ohne Angabe ist es die neueste.
docs-version = Version { $number }
docs-released = seit { $day }
docs-sunset = Auslauf { $day }
docs-removed = entfernt ab { $day }
docs-state-planned = geplant
docs-state-active = aktiv
docs-state-deprecated = veraltet
docs-state-sunset = läuft aus
docs-state-removed = entfernt
docs-ends = Diese Version gilt seit { $since } als veraltet. Sie läuft am { $sunset } aus. Nutzen Sie Version { $newest }.
docs-ending = Diese Version ist ausgelaufen und wird am { $removed } entfernt. Nutzen Sie Version { $newest }.
docs-ended = Diese Version ist ausgelaufen. Nutzen Sie Version { $newest }.
docs-successor = Dorthin
docs-change-renamed = `{ $place }`: `{ $from }` heißt jetzt `{ $to }`.
docs-change-retyped = `{ $place }` ist jetzt { $to }, vorher { $from }.
docs-change-added = `{ $place }` ist neu.
docs-change-removed = `{ $place }` entfällt.
docs-change-reworded = `{ $place }`: das Wort `{ $from }` heißt jetzt `{ $to }`.
docs-change-moved = `{ $place }`: `{ $from }` steht jetzt in `{ $to }`.
docs-change-status = `{ $place }` antwortet mit { $to }, vorher { $from }.
