import { byline, type ContentPage, comments, declared, list, newsletter, page, related, text } from './parts'

const hours = `<table><tr><td>Monday</td><td>9 to 17</td></tr><tr><td>Tuesday</td><td>9 to 17</td></tr><tr><td>Wednesday</td><td>closed</td></tr><tr><td>Thursday</td><td>9 to 20</td></tr></table>`
const team = list(
  7,
  (n) => `<div class="team-member"><h3>Keeper ${n}</h3><p>Room ${n}</p><p>Telephone 023 55 50${n}</p></div>`,
)
const jobs = list(
  5,
  (n) => `<li><a href="/jobs/${n}">Keeper for tower ${n}</a>, ${n * 5 + 10} hours a week, from ${n + 1} June</li>`,
)
const services = list(4, (n) => `<div class="card"><h3>Service ${n}</h3><p>We clean ${n + 2} lamps an hour.</p></div>`)
const programme = `<table>${list(8, (n) => `<tr><td>${n + 10}.00</td><td>Talk ${n} of the keepers</td><td>Hall ${n}</td></tr>`)}</table>`
const partners = list(
  24,
  (n) => `<li><a href="https://partner-${n}.example/">Lighthouse society of district ${n}</a></li>`,
)
const forms = list(
  9,
  (n) => `<li><a href="/files/form-${n}.pdf">Form ${n}: permit for a lamp of class ${n} (PDF)</a></li>`,
)
const replies = list(
  12,
  (n) =>
    `<div class="post"><b>Sailor ${n}</b><div class="post-content"><p>Mine did that, too. I turned screw ${n} and it was gone after ${n + 1} days.</p></div></div>`,
)
const answers = list(
  3,
  (n) =>
    `<div class="answer comment"><p>Answer ${n}: cut the wick to ${n + 4} mm, then soak it for an hour in oil, and light it again.</p></div>`,
)
const stock = `<ul class="ingredients">${list(7, (n) => `<li>${n * 50 + 50} g of part ${n}</li>`)}</ul>`
const cooking = `<ol>${list(4, (n) => `<li>Stir part ${n} for ${n + 2} minutes.</li>`)}</ol>`
const onePage = `<section id="about"><h2>About us</h2>${text(60)}</section><section id="services"><h2>Services</h2>${services}</section><section id="prices"><h2>Prices</h2><ul><li>Cleaning 12 €</li><li>Repair 30 €</li><li>Oil 4 € a litre</li></ul></section><section id="hours"><h2>Hours</h2>${hours}</section><section id="contact"><h2>Contact</h2><p>Quay Street 4, Portsmouth, 023 55 501</p></section>`
const events = list(
  6,
  (n) =>
    `<div class="event"><h3>Night ${n} of lights</h3><p>${n + 4} July, ${n + 17}.30, Pier ${n}</p><p>Tickets ${n + 5} €</p></div>`,
)
const policy = list(
  14,
  (n) =>
    `<h2>Part ${n}</h2><p>Of kind ${n} we keep the date for ${n + 1} months, to count visits, and nobody else gets it from us.</p>`,
)

/** What clubs, offices and small firms have: short parts, lists and tables, which are what people ask about. */
export const peoplePages: ContentPage[] = [
  {
    kind: 'opening hours as a table',
    html: page(`<div class="content"><h1>Hours</h1>${hours}<p>On feast days we are closed.</p></div>`),
    gold: `Hours ${hours} On feast days we are closed.`,
  },
  {
    kind: 'a team with rooms and telephones',
    html: page(
      `<main><h1>Who we are</h1><p>Seven keepers look after the towers.</p><div class="team">${team}</div></main>`,
    ),
    gold: `Who we are Seven keepers look after the towers. ${team}`,
  },
  {
    kind: 'jobs in a list',
    html: page(`<main><h1>Jobs</h1><p>We look for people who like the night.</p><ul>${jobs}</ul></main>`),
    gold: `Jobs We look for people who like the night. ${jobs}`,
  },
  {
    kind: 'a site of one page',
    html: page(`<h1>Harbour lights</h1>${onePage}`),
    gold: `Harbour lights ${onePage}`,
    url: 'https://harbour.example/',
  },
  {
    kind: 'a first page with a long text and short parts',
    html: page(`<main><h1>Harbour</h1>${text(61, 62)}<div class="cards">${services}</div>${hours}</main>${newsletter}`),
    gold: `Harbour ${text(61, 62)} ${services} ${hours}`,
    url: 'https://harbour.example/',
  },
  {
    kind: 'the programme of a day',
    html: page(`<main><h1>Programme</h1>${text(63)}${programme}</main>`, { head: declared('Event') }),
    gold: `Programme ${text(63)} ${programme}`,
  },
  { kind: 'events of a summer', html: page(`<main><h1>Events</h1>${events}</main>`), gold: `Events ${events}` },
  {
    kind: 'links as the content',
    html: page(`<main><h1>Our partners</h1><p>These societies work with us.</p><ul>${partners}</ul></main>`),
    gold: `Our partners These societies work with us. ${partners}`,
  },
  {
    kind: 'forms to load',
    html: page(`<div class="text"><h1>Forms</h1><p>Print them and bring them along.</p><ul>${forms}</ul></div>`),
    gold: `Forms Print them and bring them along. ${forms}`,
  },
  {
    kind: 'a thread of a forum',
    html: page(
      `<div class="topic"><h1>My lamp smokes</h1><div class="post"><b>Sailor A</b><div class="post-content">${text(64)}</div></div>${replies}</div>`,
      { head: declared('DiscussionForumPosting') },
    ),
    gold: `My lamp smokes Sailor A ${text(64)} ${replies}`,
  },
  {
    kind: 'a question with answers',
    html: page(
      `<main><h1>Why does it smoke?</h1><div class="question"><p>Since last week my lamp smokes whenever the wind comes from the east. What can I do?</p></div>${answers}</main>`,
      { head: declared('QAPage') },
    ),
    gold: `Why does it smoke? Since last week my lamp smokes whenever the wind comes from the east. What can I do? ${answers}`,
  },
  {
    kind: 'a recipe below a story and above comments',
    html: page(
      `<main><article><h1>Oil soup</h1>${byline}${text(65)}<h2>What is needed</h2>${stock}<h2>How it is made</h2>${cooking}</article></main>`,
      { head: declared('Article') + declared('Recipe') },
    ),
    gold: `Oil soup By Ada Byline 3 May 2026, 10:15 4 min read ${text(65)} What is needed ${stock} How it is made ${cooking}`,
  },
  {
    kind: 'a page about cookies',
    html: page(`<div class="cookie-policy"><h1>What we keep</h1>${policy.repeat(2)}</div>`),
    gold: `What we keep ${policy.repeat(2)}`,
  },
  {
    kind: 'a page about its newsletter',
    html: page(`<main class="newsletter"><h1>Our letter</h1>${text(66)}</main>`),
    gold: `Our letter ${text(66)}`,
  },
  {
    kind: 'a page laid out in tables',
    html: `<html><head><title>Lamps</title></head><body><table width="800"><tr><td colspan="2"><b>Harbour</b></td></tr><tr><td width="150">${list(12, (n) => `<a href="/c/${n}">Category number ${n}</a><br>`)}</td><td><h1>Lamps</h1>${text(67)}${hours}</td></tr></table></body></html>`,
    gold: `Harbour Lamps ${text(67)} ${hours}`,
  },
  {
    kind: 'a page in a frame of two documents',
    html: `<!doctype html><html>\n<html><head><title>Lamps</title></head><body><div><h1>Lamps</h1>${text(68)}</div></body></html></html>`,
    gold: `Lamps ${text(68)}`,
  },
  {
    kind: 'social services of a town',
    html: page(
      `<main><h1>Help</h1><div class="social-services"><p>Meals for keepers who are ill: 4 €, every day but Sunday.</p><p>Rides to the doctor: call 023 55 777 one day before.</p></div></main>`,
    ),
    gold: 'Help Meals for keepers who are ill: 4 €, every day but Sunday. Rides to the doctor: call 023 55 777 one day before.',
  },
  {
    kind: 'news of a club that says of each page that it is an article',
    html: page(
      `<article><h1>Kayaks</h1><p>Who wants to paddle can borrow a boat from us, and a map.</p>${programme}<p>Bring a towel.</p></article>${related}${comments(0)}`,
      { head: '<meta property="og:type" content="article">' },
    ),
    gold: `Kayaks Who wants to paddle can borrow a boat from us, and a map. ${programme} Bring a towel.`,
  },
]
