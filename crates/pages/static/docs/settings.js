// Against which server, and as whom: written into the page by the server.
const { issuer, redirect, client } = document.getElementById("api-docs").dataset;

export { client, issuer, redirect };
