// Sends the only form of the page at once. The method is taken from the prototype, because a field may be named "submit".
HTMLFormElement.prototype.submit.call(document.getElementById("form-post"));
