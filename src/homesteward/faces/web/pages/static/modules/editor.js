// The rule file in its editor: numbers beside the lines, those with a mistake marked, and a mistake leads to its line.
const text = document.querySelector("#rules"), numbers = document.querySelector(".editor-lines");

function wrong() {
  return new Set([...document.querySelectorAll("#checked [data-line]")].map((each) => Number(each.dataset.line)));
}

function number() {
  const marked = wrong(), count = text.value.split("\n").length;
  numbers.replaceChildren(...Array.from({ length: count }, (_, n) => {
    const line = document.createElement("span");
    line.textContent = `${n + 1}\n`;
    if (marked.has(n + 1)) line.className = "wrong";
    return line;
  }));
  numbers.scrollTop = text.scrollTop;
}

function go(line) {
  const before = text.value.split("\n").slice(0, line - 1).join("\n");
  const start = before.length + (line > 1 ? 1 : 0), end = text.value.indexOf("\n", start);
  text.focus();
  text.setSelectionRange(start, end < 0 ? text.value.length : end);
  text.scrollTop = (line - 3) * (text.scrollHeight / text.value.split("\n").length);
}

text.addEventListener("input", number);
text.addEventListener("scroll", () => { numbers.scrollTop = text.scrollTop; });
document.addEventListener("click", (event) => {
  const mistake = event.target.closest("#checked [data-line]");
  if (mistake) go(Number(mistake.dataset.line));
});
new MutationObserver(number).observe(text.form, { childList: true });
number();
