// The arrow keys step through a match.
addEventListener("keydown", (event) => {
  const way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (way) document.querySelector(`.replay a[rel=${way}]`)?.click();
});
