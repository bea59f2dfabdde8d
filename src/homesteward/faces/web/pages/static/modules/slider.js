// The slider over the past: says how far back it stands while it is moved; what is written as an exact moment ends with it.
const form = document.querySelector("form.slider");
const said = form?.querySelector("output");
const slide = form?.elements.back;
const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
const STEPS = { day: 86400 / 96, week: 604800 / 96, month: 2592000 / 96 };

function tell() {
  const seconds = Number(slide.value) * STEPS[form.elements.over.value];
  const [unit, of] = seconds >= 172800 ? ["day", 86400] : seconds >= 3600 ? ["hour", 3600] : ["minute", 60];
  said.textContent = words.format(-Math.round(seconds / of), unit);
}

slide?.addEventListener("input", () => { form.elements.at.value = ""; tell(); });
form?.elements.over.addEventListener("input", () => { form.elements.at.value = ""; tell(); });
if (slide) tell();
