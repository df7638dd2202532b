// A seat's secret stands behind the # of its link, which browsers send to no server. Here it is handed in, in the
// body of a form, and leaves the address and the browser's history.

function enter() {
  const form = document.getElementById("enter");
  const code = decodeURIComponent(location.hash.slice(1));
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  form.elements.code.value = code;
  form.submit();
}

enter();
addEventListener("hashchange", enter);
