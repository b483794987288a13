// Who this page plays, and against which server: written into the page by the server.
const { issuer, app, service, redirect, scope } = document.getElementById("playground").dataset;

export { app, issuer, redirect, scope, service };
