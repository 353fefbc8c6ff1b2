// A file of its own, because the page's policy allows no inline script.
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "list",
  validatorUrl: null, // the default would send the document to a remote service
});
