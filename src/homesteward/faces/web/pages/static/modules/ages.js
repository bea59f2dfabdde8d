// Keeps "5 minutes ago" true while a page stays open.
const STEPS = [["second", 60], ["minute", 60], ["hour", 24], ["day", 30], ["month", 12], ["year", Infinity]];
const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });

function ago(moment) {
  let amount = (moment - Date.now()) / 1000;
  for (const [unit, most] of STEPS) {
    if (Math.abs(amount) < most) return words.format(Math.round(amount), unit);
    amount /= most;
  }
  return "";
}

setInterval(() => {
  for (const time of document.querySelectorAll("time[data-ago]")) time.textContent = ago(new Date(time.dateTime));
}, 30000);
