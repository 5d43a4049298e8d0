"use strict";
(() => {
  const get = (id) => document.getElementById(id);
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const data = JSON.parse(get("data").textContent);
  const MINUS = "\u2212";

  /** An element with text or children; texts are never read as HTML. */
  function make(name, about = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(about)) {
      if (value !== undefined && value !== null) made.setAttribute(key, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }

  const signed = (value) => (value > 0 ? "+" : "") + value.toFixed(3).replace("-", MINUS);

  // ---- tables that can be sorted
  for (const button of all("[data-sort]")) {
    button.addEventListener("click", () => {
      const head = button.closest("th"), table = head.closest("table"), body = table.tBodies[0];
      const down = head.getAttribute("aria-sort") !== "descending" && button.dataset.sort !== "text" ||
        head.getAttribute("aria-sort") === "ascending";
      const column = place(table, head);
      const key = (row) => row.cells[column].dataset.v;
      const rows = [...body.rows].map((row, at) => [row, key(row), at]);
      const empty = (value) => value === "" || value === undefined;
      rows.sort(([, a, i], [, b, j]) => {
        if (empty(a) || empty(b)) return empty(a) - empty(b) || i - j;
        const order = isNaN(a) || isNaN(b) ? a.localeCompare(b, "en", { numeric: true }) : a - b;
        return (down ? -order : order) || i - j;
      });
      for (const other of all("[aria-sort]", table)) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...rows.map(([row]) => row));
      fold(table);
    });
  }

  /** Which cell of a row stands under a heading, where headings span rows and columns. */
  function place(table, head) {
    const taken = [];
    for (const [at, row] of [...table.tHead.rows].entries()) {
      let column = 0;
      for (const cell of row.cells) {
        while (taken[at]?.[column]) column++;
        if (cell === head) return column;
        for (let r = at; r < at + cell.rowSpan; r++) {
          taken[r] ??= [];
          for (let c = column; c < column + cell.colSpan; c++) taken[r][c] = true;
        }
        column += cell.colSpan;
      }
    }
    return 0;
  }

  // ---- long tables: the first rows, and a button for the rest
  function fold(table) {
    const button = document.querySelector(`[data-more="${table.id}"]`);
    if (!button) return;
    const open = button.getAttribute("aria-expanded") === "true";
    button.textContent = open ? button.dataset.hide : button.dataset.show;
    const kept = Number(button.dataset.hide.match(/\d+/)[0]);
    [...table.tBodies[0].rows].forEach((row, at) => {
      row.classList.toggle("rest", at >= kept);
      row.hidden = !open && at >= kept && !row.classList.contains("kept");
    });
  }
  for (const button of all("[data-more]")) {
    button.hidden = false;
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => {
      button.setAttribute("aria-expanded", button.getAttribute("aria-expanded") !== "true");
      fold(get(button.dataset.more));
    });
    fold(get(button.dataset.more));
  }
  for (const pick of all(".pick")) pick.hidden = !pick.children.length;

  // ---- pictures of sweeps
  for (const section of all("[data-plots]")) {
    const part = (name) => section.querySelector(`[data-part="${name}"]`);
    const lines = all(".multiples .figure", section);
    const heats = all(".figure", section).filter((figure) => !lines.includes(figure));
    const show = () => {
      const column = part("column")?.value ?? "0";
      const axes = part("axes")?.value ?? heats[0]?.dataset.axes ?? "";
      const rest = [];
      for (const label of all("[data-axis]", section)) {
        label.hidden = axes.split("-").includes(label.dataset.axis);
        if (!label.hidden) rest.push(`${label.dataset.axis}:${label.querySelector("select").value}`);
      }
      for (const figure of lines) figure.hidden = figure.dataset.column !== column;
      for (const figure of heats) {
        const same = figure.dataset.column === column && figure.dataset.axes === axes;
        figure.hidden = !same || (part("rest") !== null && figure.dataset.rest !== rest.join(" "));
      }
    };
    section.addEventListener("change", show);
    show();
  }

  // ---- differences by topic
  const bars = get("bars");
  function drawBars() {
    const name = get("bars-system").value, column = Number(get("bars-column").value);
    const [ours, theirs] = [name, data.baseline].map((one) => data.values[data.systems.indexOf(one)][column]);
    const found = data.topics.map(([qid], at) => [qid, ours[at] === null || theirs[at] === null ? null : ours[at] - theirs[at], at]);
    const rows = new Map(all("li", bars).map((row) => [row.dataset.t, row]));
    const known = found.filter(([, value]) => value !== null).map(([qid, value, at]) => [qid, Math.round(value * 1e4) / 1e4, at]);
    const largest = Math.max(...known.map(([, value]) => Math.abs(value))) || 1;
    known.sort(([, a, i], [, b, j]) => b - a || i - j);
    for (const row of rows.values()) row.hidden = true;
    for (const [qid, value] of known) {
      const row = rows.get(qid) ?? bars.appendChild(barOf(qid));
      row.hidden = false;
      row.classList.toggle("less", value < 0);
      row.querySelector("i").style.setProperty("--w", Math.abs(value) / largest);
      row.querySelector(".d").textContent = signed(value);
      bars.append(row);
    }
    const number = (wanted) => known.filter(([, value]) => Math.sign(value) === wanted).length;
    get("bars-name").textContent = data.labels[data.systems.indexOf(name)];
    get("bars-measure").textContent = get("bars-column").selectedOptions[0].textContent;
    get("bars-better").textContent = number(1);
    get("bars-equal").textContent = number(0);
    get("bars-worse").textContent = number(-1);
    get("bars-said").textContent = data.comparisons[`${data.systems.indexOf(name)} ${column}`] ?? "";
    roving();
  }

  function barOf(qid) {
    const topic = data.topics.find(([other]) => other === qid);
    const bar = make("span", { class: "bar" }, make("i"));
    const parts = [["n", qid], ["title", topic[1]]].map(([kind, text]) => make("span", { class: kind, title: text }, text));
    return make("li", { "data-t": qid }, make("a", { href: `#t=${encodeURIComponent(qid)}` }, ...parts, bar, make("span", { class: "d" })));
  }

  /** One bar is reached by Tab, the others from it by the arrow keys. */
  function roving() {
    all("li:not([hidden]) a", bars).forEach((link, at) => (link.tabIndex = at ? -1 : 0));
  }
  if (bars) {
    for (const select of all("#bars-system, #bars-column")) select.addEventListener("change", drawBars);
    bars.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const links = all("li:not([hidden]) a", bars), next = links[links.indexOf(document.activeElement) + step];
      if (!step || !next) return;
      event.preventDefault();
      next.tabIndex = 0;
      document.activeElement.tabIndex = -1;
      next.focus();
    });
    bars.addEventListener("click", () => get("bars-system").value && setSides(get("bars-system").value));
    roving();
  }

  // ---- rankings side by side
  const sides = get("sides");
  if (!sides) return;
  const [topic, left, right, judged] = ["topic", "left", "right", "judged"].map(get);
  const open = new Set();
  get("cut").textContent = data.cut && ` ${data.cut}`;

  const words = (title) =>
    new Set(title.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu)?.filter((word) => !/^(should|would|could|does|have|been|they|that|this|with|from|what|when|which|there|more|than|into|need)$/.test(word)).map(stem) ?? []);
  const stem = (word) => word.replace(/(ings?|ions?|ies|ed|es|s|y|al|e)$/, "").slice(0, 7);

  /** A text in which the words of the topic are marked. */
  function marked(text, wanted) {
    const pieces = document.createDocumentFragment();
    let from = 0;
    for (const found of text.matchAll(/[\p{L}\p{N}]{4,}/gu)) {
      if (!wanted.has(stem(found[0].toLowerCase()))) continue;
      pieces.append(text.slice(from, found.index), make("mark", {}, found[0]));
      from = found.index + found[0].length;
    }
    pieces.append(text.slice(from));
    return pieces;
  }

  const judgements = () => data.judgements[Number(judged?.value ?? 0)];
  function levels() {
    const grades = (judgements()?.grades ?? []).flatMap((of) => Object.values(of));
    const most = Math.max(2, ...grades, ...Object.keys(judgements()?.meanings ?? {}).map(Number));
    return (grade) => (grade === undefined ? "x" : grade <= 0 ? 0 : grade >= most ? 2 : 1);
  }
  const meaning = (grade) => judgements().meanings[grade] ?? `grade ${grade}`;

  /** What a document does on the way from the left ranking to the right one. */
  function moved(rank, other, side) {
    const say = (kind, title, text) => make("span", { class: `moved ${kind}`, title }, text);
    const there = side ? "left" : "right";
    if (other === undefined) return say(side ? "up" : "down", `not in the ranking on the ${there}`, side ? "\u2605 new" : "\u2715 gone");
    const rise = side ? other - rank : rank - other;
    if (!rise) return say("soft", `rank ${other} on the ${there}, too`, "=");
    const far = other > data.top ? ` ${side ? "from" : "to"} ${other}` : "";
    return say(rise > 0 ? "up" : "down", `rank ${other} on the ${there}`, `${rise > 0 ? "\u25B2" : "\u25BC"}\u2009${Math.abs(rise)}${far}`);
  }

  function card(doc, rank, score, other, grades, level, wanted, side) {
    const [docno, stance, conclusion, text] = data.docs[doc];
    const grade = grades?.[doc], id = `${side}-${doc}`;
    const top = make("div", { class: "top" },
      make("span", { class: "rank" }, String(rank)), moved(rank, other, side),
      grades ? make("span", { class: `grade grade-${level(grade)}` }, grade === undefined ? "not judged" : meaning(grade)) : null,
      stance ? make("span", { class: "stance" }, stance) : null,
      make("span", { class: "s", title: "score" }, String(score)));
    const made = make("li", { class: `doc of-${grades ? level(grade) : "x"}`, "data-doc": doc }, top);
    if (conclusion) made.append(make("h5", {}, marked(conclusion, wanted)));
    const foot = make("div", { class: "foot" });
    if (text) {
      const body = make("p", { class: "text", id }, marked(text, wanted));
      made.append(body);
      if (text.length > 150) {
        const more = make("button", { type: "button", class: "more", "aria-controls": id });
        const show = () => {
          const is = open.has(id);
          made.classList.toggle("open", is);
          more.textContent = is ? "less" : "more";
          more.setAttribute("aria-expanded", is);
        };
        more.addEventListener("click", () => {
          if (!open.delete(id)) open.add(id);
          show();
          connect();
        });
        show();
        foot.append(more);
      }
    } else if (conclusion === undefined) {
      made.append(make("p", { class: "text soft" }, "no text"));
    }
    foot.append(make("span", { class: "id" }, docno));
    made.append(foot);
    for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focusin", true], ["focusout", false]]) {
      made.addEventListener(event, () => light(doc, on));
    }
    return made;
  }

  function light(doc, on) {
    for (const one of all(`[data-doc="${doc}"]`, sides)) one.classList.toggle("lit", on);
  }

  function draw() {
    const at = data.topics.findIndex(([qid]) => qid === topic.value);
    const [qid, title, description] = data.topics[at];
    const pair = [left, right].map((select) => data.systems.indexOf(select.value));
    const grades = judgements()?.grades[at], level = levels(), wanted = words(title);
    const ranks = pair.map((system) => {
      const [docs, places] = data.runs[system][at];
      return new Map(docs.map((doc, i) => [doc, places[i]]));
    });
    const lists = pair.map((system, side) => {
      const scores = data.runs[system][at][2];
      const first = [...ranks[side]].filter(([, rank]) => rank <= data.top);
      const cards = first.map(([doc, rank]) => card(doc, rank, scores[rank - 1], ranks[1 - side].get(doc), grades, level, wanted, side));
      const values = data.columns.map((name, column) => [name, data.values[system][column][at]]).filter(([, value]) => value !== null);
      const scored = values.slice(0, 3).map(([name, value]) => make("small", { title: name }, `${name.split(" ")[0].replaceAll("_", " ")} ${value.toFixed(3)}`));
      const list = cards.length ? make("ol", { class: "docs" }, ...cards) : make("p", { class: "soft" }, "Nothing found for this topic.");
      return make("div", { class: "side", role: "region", "aria-label": `Ranking of ${data.systems[system]}` }, make("h4", {}, data.labels[system], ...scored), list);
    });
    const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    drawing.setAttribute("class", "moves");
    drawing.setAttribute("aria-hidden", "true");
    sides.replaceChildren(lists[0], drawing, lists[1]);
    get("shown-topic").replaceChildren(make("h3", {}, title ? `${qid}  ${title}` : `Topic ${qid}`), ...(description ? [make("p", {}, description)] : []));
    keys(grades, level);
    get("before").disabled = at === 0;
    get("after").disabled = at === data.topics.length - 1;
    connect();
  }

  function keys(grades, level) {
    if (!judgements()) return get("grades").replaceChildren("There are no judgements, so grades are left out.");
    if (!grades || !Object.keys(grades).length) return get("grades").replaceChildren(`${judgements().name} has none of these documents for this topic.`);
    const known = new Set([...Object.keys(judgements().meanings), ...judgements().grades.flatMap((of) => Object.values(of).map(String))]);
    const shown = [...known].map(Number).filter((grade) => grade >= 0).sort((a, b) => b - a);
    get("grades").replaceChildren(`${judgements().name}:`,
      ...shown.map((grade) => make("span", { class: `grade-${level(grade)}` }, meaning(grade))),
      make("span", { class: "grade-x" }, "not judged"));
  }

  /** Lines between the two places of a document that both lists show. */
  function connect() {
    const drawing = sides.querySelector(".moves"), frame = sides.getBoundingClientRect();
    const [ours, theirs] = all(".docs", sides).map((list) => new Map(all(".doc", list).map((doc) => [doc.dataset.doc, doc])));
    drawing.replaceChildren();
    if (!ours || !theirs) return;
    for (const [doc, from] of ours) {
      const to = theirs.get(doc);
      if (!to) continue;
      const a = from.getBoundingClientRect(), b = to.getBoundingClientRect();
      const [x1, x2] = [a.right - frame.left + 3, b.left - frame.left - 3], bend = (x2 - x1) / 2;
      const [y1, y2] = [a, b].map((box) => box.top - frame.top + Math.min(18, box.height / 2));
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      const ranks = [from, to].map((one) => Number(one.querySelector(".rank").textContent));
      path.setAttribute("d", `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`);
      path.setAttribute("class", ranks[1] < ranks[0] ? "rose" : ranks[1] > ranks[0] ? "fell" : "same");
      path.dataset.doc = doc;
      drawing.append(path);
    }
  }

  function setSides(name, other = data.baseline) {
    if (data.systems.includes(other)) left.value = other;
    if (data.systems.includes(name)) right.value = name;
  }

  /** The address says what is shown, so that it can be handed on. */
  function read() {
    const given = new URLSearchParams(location.hash.slice(1));
    if (!given.has("t")) return false;
    if (data.topics.some(([qid]) => qid === given.get("t"))) topic.value = given.get("t");
    setSides(given.get("b"), given.get("a"));
    return true;
  }
  function write() {
    const address = new URLSearchParams({ t: topic.value, a: left.value, b: right.value });
    history.replaceState(null, "", `#${address}`);
    draw();
  }
  function move(step) {
    const to = topic.options[topic.selectedIndex + step];
    if (!to) return;
    topic.value = to.value;
    write();
  }
  for (const select of [topic, left, right, judged]) select?.addEventListener("change", write);
  get("before").addEventListener("click", () => move(-1));
  get("after").addEventListener("click", () => move(1));
  document.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("select, input, .scroll, .bars")) return;
    const box = get("rankings").getBoundingClientRect();
    if (box.top > innerHeight / 2 || box.bottom < 0) return;
    event.preventDefault();
    move(step);
  });
  for (const link of all("[data-a]")) {
    link.addEventListener("click", () => { setSides(link.dataset.a); draw(); });
  }
  addEventListener("hashchange", () => {
    if (!read()) return;
    draw();
    get("rankings").scrollIntoView();
    topic.focus({ preventScroll: true });
  });
  addEventListener("resize", connect);
  addEventListener("load", connect);
  const asked = read();
  draw();
  if (asked) get("rankings").scrollIntoView();
})();
