
## Docs
docs-eyebrow = Référence de l’API
docs-address = Adresse
docs-machines = Pour les programmes
docs-contents = Sur cette page

## Docs: try it
docs-try-title = Essayer
docs-try-text = Une fois que vous êtes connecté, chaque opération peut être envoyée depuis cette page. Le jeton reste dans la mémoire de cette page : la recharger l’oublie.
docs-elsewhere = Cette page a été ouverte sous un autre nom du serveur. La connexion se fait à l’adresse
docs-signed = Connecté
docs-forget = Rendre le jeton
docs-demonstration = Ceci est une démonstration. Connectez-vous en tant que `{ $user }`, avec le mot de passe que le serveur a affiché à son premier démarrage.
docs-client = Identifiant du client
docs-client-hint = Un client public, enregistré pour cette page.
docs-scopes = Autorisations (scopes)
docs-sign-in = Se connecter
docs-register = Enregistrer un client pour cette page
docs-register-text = L’exploitant de ce serveur exécute ceci une fois et vous donne l’identifiant du client.
docs-paste = Utiliser un jeton existant
docs-paste-token = Jeton d’accès
docs-paste-use = L’utiliser

## Docs: get a token
docs-token = Obtenir un jeton
docs-token-text = Chaque requête porte `Authorization: Bearer` et un jeton d’accès de ce serveur. Un service qui parle en son propre nom l’obtient en deux étapes.
docs-step-register = Enregistrer le service
docs-step-ask = Demander un jeton
docs-token-people = Une application utilisée par des personnes les envoie à `/authorize`, avec PKCE.
docs-metadata = Tous les points d’accès
docs-scope = Scope
docs-allows = Ce qu’il permet

## Docs: reference
docs-conventions = Ce qui vaut partout
docs-owned = Un utilisateur voit ce qui a été créé en son nom. Un client qui parle en son propre nom voit tout.
docs-field = Champ
docs-type = Type
docs-holds = Ce qui vaut
docs-required = obligatoire
docs-read-only = lecture seule
docs-unique = unique
docs-default = par défaut
docs-filter = filtrable
docs-sort = triable
docs-search = cherchable
docs-references = renvoie à { $resource }
docs-under = Aussi sous `{ $address }`
docs-operations = Opérations
docs-needs = Demande le scope `{ $scope }`
docs-needs-none = Tout jeton valide suffit
docs-try = Essayer
docs-parameters = Paramètres
docs-body = Corps
docs-curl = Dans un terminal
docs-answers = Réponses

## Docs: what the script says
docs-w-path = Chemin
docs-w-query = Requête
docs-w-header = En-têtes
docs-w-body = Corps
docs-w-media-type = Type de média
docs-w-json = JSON
docs-w-any = – tous –
docs-w-compare = Comparaison de
docs-w-send = Envoyer
docs-w-answer = Réponse
docs-w-headers = En-têtes de la réponse
docs-w-curl = La même chose dans un terminal
docs-w-explained = Ce que cela signifie
docs-w-empty = La réponse n’a pas de corps.
docs-w-use-id = Utiliser cet identifiant dans les formulaires de
docs-w-used-id = Il est maintenant dans les formulaires
docs-w-network = Le serveur n’a pas répondu. Vérifiez la connexion et réessayez.
docs-w-no-token = Il n’y a pas encore de jeton : la réponse sera 401.
docs-w-sign-in = Se connecter
docs-w-who = Connecté
docs-w-who-none = Non connecté
docs-w-until = jusqu’à
docs-w-state = Le navigateur est revenu avec une réponse que cette page n’avait pas demandée. Rien n’en a été fait ; connectez-vous à nouveau.
docs-w-refused = La connexion a échoué :
docs-w-crypto = Ce navigateur ne calcule pas de hachage sur une page sans HTTPS. Ouvrez la page en HTTPS ou en localhost, ou utilisez un jeton existant.

# Versions
docs-versions = Versions
docs-versions-text = Indiquez laquelle dans le chemin, comme `/api/v1`, dans `X-API-Version`, ou en paramètre de `Accept`. Sans indication, c’est la plus récente.
docs-version = Version { $number }
docs-released = depuis le { $day }
docs-sunset = fin prévue le { $day }
docs-removed = retirée dès le { $day }
docs-state-planned = prévue
docs-state-active = active
docs-state-deprecated = dépréciée
docs-state-sunset = en fin de vie
docs-state-removed = retirée
docs-ends = Cette version est dépréciée depuis le { $since }. Sa fin est prévue le { $sunset }. Utilisez la version { $newest }.
docs-ending = Cette version a dépassé sa fin prévue et sera retirée le { $removed }. Utilisez la version { $newest }.
docs-ended = Cette version a dépassé sa fin prévue. Utilisez la version { $newest }.
docs-successor = La consulter
docs-change-renamed = `{ $place }` : `{ $from }` s’appelle désormais `{ $to }`.
docs-change-retyped = `{ $place }` est désormais { $to } ; avant, { $from }.
docs-change-added = `{ $place }` est nouveau.
docs-change-removed = `{ $place }` n’existe plus.
docs-change-reworded = `{ $place }` : le mot `{ $from }` devient `{ $to }`.
docs-change-moved = `{ $place }` : `{ $from }` se trouve désormais dans `{ $to }`.
docs-change-status = `{ $place }` répond avec { $to } ; avant, { $from }.
