import { type ContentPage, declared, list, newsletter, page, shareBar, text } from './parts'

const data =
  '<dl><dt>Height</dt><dd>31 cm</dd><dt>Weight</dt><dd>1.4 kg</dd><dt>Oil</dt><dd>0.6 l</dd><dt>Made in</dt><dd>Portsmouth</dd></dl>'
const reviews = list(
  4,
  (n) =>
    `<div class="review"><b>Buyer ${n}</b> <span>${n + 1} of 5 stars</span><p>Lamp of mine number ${n} burns well, also in wind.</p></div>`,
)
const sizes = `<table class="variants"><tr><th>Size</th><th>Price</th><th>Delivery</th></tr>${list(5, (n) => `<tr><td>No. ${n}</td><td>${n * 7 + 19} €</td><td>${n + 2} days</td></tr>`)}</table>`
const cards = list(
  16,
  (n) =>
    `<li class="product-card"><a href="/lamp-${n}"><img src="${n}.jpg" alt=""></a><h2><a href="/lamp-${n}">Lamp model ${n}</a></h2><span class="price">${n * 3 + 12}.50 €</span><p>Burns ${n + 2} hours.</p></li>`,
)
const plans = list(
  3,
  (n) =>
    `<div class="plan"><h2>Plan ${n}</h2><p class="price">${n * 10 + 9} € a month</p><ul><li>${n + 1} lamps to borrow</li><li>Oil for ${n + 2} weeks</li><li>Repair within ${5 - n} days</li></ul></div>`,
)
const bought = `<section class="upsells"><h2>You may also like</h2><ul>${list(6, (n) => `<li><a href="/p/${n}">Noise product ${n}</a></li>`)}</ul></section>`
const terms = list(6, (n) => `<h2>Delivery to zone ${n}</h2><p>Costs ${n * 4 + 5} €, takes ${n + 1} days.</p>`)

/** Shops: prices, data and opinions are what is asked about. */
export const shopPages: ContentPage[] = [
  {
    kind: 'a product with data, opinions and others bought',
    html: page(
      `<main><div class="product"><h1>Storm lamp</h1><p class="price">49 €</p><button>Add to cart</button>${shareBar}<div class="summary"><p>A lamp for rough seas.</p></div><h2>Data</h2>${data}<h2>Opinions</h2>${reviews}</div>${bought}${newsletter}</main>`,
      { head: declared('Product') },
    ),
    gold: `Storm lamp 49 € A lamp for rough seas. Data ${data} Opinions ${reviews}`,
  },
  {
    kind: 'a product with a long description and sizes in a table',
    html: page(
      `<div id="main-content"><h1>Storm lamp</h1><div class="description">${text(40, 41)}</div>${sizes}</div>${bought}`,
    ),
    gold: `Storm lamp ${text(40, 41)} ${sizes}`,
  },
  {
    kind: 'a list of products that lead to their pages',
    html: page(`<main><h1>All lamps</h1><p>Sixteen models, all in stock.</p><ul class="products">${cards}</ul></main>`),
    gold: `All lamps Sixteen models, all in stock. ${cards}`,
  },
  {
    kind: 'plans with prices beside a long introduction',
    html: page(`<main><h1>Borrow a lamp</h1>${text(42)}<div class="plans">${plans}</div></main>`),
    gold: `Borrow a lamp ${text(42)} ${plans}`,
  },
  {
    kind: 'delivery and its costs',
    html: page(
      `<main><h1>Delivery</h1><p>We send lamps to the whole world.</p>${terms}<p>Share of parcels that came in time: 98 %.</p></main>`,
    ),
    gold: `Delivery We send lamps to the whole world. ${terms} Share of parcels that came in time: 98 %.`,
  },
]
