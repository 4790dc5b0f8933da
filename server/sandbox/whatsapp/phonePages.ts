import { type Answer, type Call, fieldsOf } from '../call'
import { type Html, html } from '../pages/html'
import { goTo, page } from '../pages/page'
import type { Route } from '../routes'
import { drawMessage } from './drawMessage'
import { phoneStyle } from './phoneStyle'
import type { Phones } from './phones'
import { hoursSince, isWindowOpen, type MessageContent, type Phone, type WhatsappState } from './state'

/** A pixel, and a second of silence: something to send. */
const SAMPLES = {
  photo: {
    type: 'image',
    mime: 'image/png',
    bytes: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  },
  voice: { type: 'audio', mime: 'audio/ogg; codecs=opus', bytes: 'T2dnUwACAAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
  document: { type: 'document', mime: 'application/pdf', bytes: 'JVBERi0xLjQKJSVFT0YK' },
} as const
const MOST_TEXT = 4_096
const NEXT: readonly [Phone['next'], string][] = [
  ['arrives', 'arrives and is read'],
  ['stays unread', 'arrives and stays unread'],
  ['fails', 'does not arrive'],
]
/** Keeps what is shown fresh without taking away what is being typed. */
const SCRIPT = `
const log = document.querySelector('.log')
const end = () => { log.scrollTop = log.scrollHeight }
end()
setInterval(async () => {
  if (log.querySelector('details[open]')) return
  const answer = await fetch(location.pathname + '/log').catch(() => null)
  if (!answer || !answer.ok) return
  const text = await answer.text()
  if (text === log.dataset.shown) return
  log.dataset.shown = text
  log.innerHTML = text
  end()
}, 1000)
`

/** Phones of people who write to the business: what they see, write, press and send, and what time has passed. */
export function phonePages(state: WhatsappState, phones: Phones, home: string | undefined): Route[] {
  const ours = (method: 'GET' | 'POST', path: string, handle: (phone: Phone, call: Call) => Answer): Route => ({
    method,
    path,
    ours: true,
    handle(call) {
      const phone = state.phones[Number(call.params.phone) - 1]
      return phone ? handle(phone, call) : missing(home)
    },
  })
  const addressOf = (phone: Phone) => `/phones/${state.phones.indexOf(phone) + 1}`
  const done = (phone: Phone) => goTo(addressOf(phone))
  return [
    ours('GET', '/phones/{phone}', (phone) => phonePage(state, phone, addressOf(phone), home)),
    ours('GET', '/phones/{phone}/log', (phone) => ({ status: 200, body: logOf(phone, addressOf(phone)).text })),
    ours('POST', '/phones/{phone}/write', (phone, call) => {
      const body = String(fieldsOf(call.body).text ?? '')
        .trim()
        .slice(0, MOST_TEXT)
      if (body !== '') phones.write(phone, { type: 'text', text: { body } })
      return done(phone)
    }),
    ours('POST', '/phones/{phone}/press', (phone, call) => {
      const { message, kind, option, title, description } = fieldsOf(call.body)
      const reply = {
        id: String(option),
        title: String(title),
        ...(description ? { description: String(description) } : {}),
      }
      if (kind === 'button') {
        const button = { payload: String(option), text: String(title) }
        phones.write(phone, { type: 'button', button }, String(message))
        return done(phone)
      }
      const type = kind === 'list_reply' ? 'list_reply' : 'button_reply'
      phones.write(phone, { type: 'interactive', interactive: { type, [type]: reply } }, String(message))
      return done(phone)
    }),
    ours('POST', '/phones/{phone}/send', (phone, call) => {
      phones.write(phone, sampleOf(state, String(fieldsOf(call.body).what)))
      return done(phone)
    }),
    ours('POST', '/phones/{phone}/set', (phone, call) => {
      const { hours, next } = fieldsOf(call.body)
      phone.hoursPassed = Math.min(Math.max(Number(hours) || 0, 0), 24 * 30)
      phone.next = NEXT.find(([name]) => name === next)?.[0] ?? 'arrives'
      return done(phone)
    }),
    ours('POST', '/phones/{phone}/read', (phone) => {
      phones.read(phone)
      return done(phone)
    }),
  ]
}

function sampleOf(state: WhatsappState, what: string): MessageContent {
  if (what !== 'photo' && what !== 'voice' && what !== 'document')
    return {
      type: 'location',
      location: { latitude: 51.5074, longitude: -0.1278, name: 'London', address: 'London, UK' },
    }
  const { type, mime, bytes } = SAMPLES[what]
  const id = state.random.digits(15)
  state.media.set(id, { id, type: mime, bytes: Buffer.from(bytes, 'base64') })
  const more = what === 'voice' ? { voice: true } : what === 'document' ? { filename: 'receipt.pdf' } : {}
  return { type, [type]: { id, mime_type: mime, sha256: 'c3RhbmQtaW4=', ...more } }
}

const logOf = (phone: Phone, address: string): Html =>
  phone.messages.length === 0
    ? html`<li class="soft">Nothing was said yet. Write to the business below.</li>`
    : html`${phone.messages.map((message) => drawMessage(message, `${address}/press`))}`

/** The phone's chats: it has one, with the business. */
function chatOf({ number }: WhatsappState, { messages }: Phone): Html {
  const last = messages.at(-1)
  const unread = messages.filter(({ from, status }) => from === 'business' && status === 'delivered').length
  const words = last ? wordsOf(last.content) : 'Nothing was said yet'
  return html`<li><strong>${number.name}</strong><time>${last ? last.at.toISOString().slice(11, 16) : ''}</time>
<span class="soft">${last?.from === 'person' ? 'You: ' : ''}${words}</span>${
    unread > 0 ? html`<b title="Unread">${unread}</b>` : ''
  }</li>`
}

/** What a message says, in a line. */
function wordsOf(content: MessageContent): string {
  const { body, caption } = fieldsOf(content[content.type])
  const text = typeof body === 'string' ? body : fieldsOf(body).text
  return String(text ?? caption ?? content.type).slice(0, 60)
}

function phonePage(state: WhatsappState, phone: Phone, address: string, home: string | undefined): Answer {
  const now = state.clock()
  const hours = hoursSince(phone, now)
  const windowText =
    hours === null
      ? 'The person never wrote: the business may send templates alone.'
      : isWindowOpen(phone, now)
        ? `The business may write for ${Math.ceil(24 - hours)} more hours.`
        : 'More than 24 hours have passed: the business may send templates alone.'
  const content = html`<div class="desk"><section class="phone" aria-label="The phone of ${phone.name}">
<ul class="chats" aria-label="Chats">${chatOf(state, phone)}</ul>
<div class="bar"><strong>${state.number.name}</strong><span>${state.number.display}</span></div>
<ul class="log" tabindex="0" aria-label="Messages">${logOf(phone, address)}</ul>
<form class="write" method="post" action="${address}/write"><label class="hidden" for="text">Message</label>
<input id="text" name="text" autocomplete="off" placeholder="Message" maxlength="${MOST_TEXT}" autofocus><button>Send</button></form>
<form class="write" method="post" action="${address}/send">${(['photo', 'voice', 'document', 'location'] as const).map(
    (what) =>
      html`<button class="plain" name="what" value="${what}">${what[0]?.toUpperCase()}${what.slice(1)}</button>`,
  )}</form></section>
<section class="card"><h2>${phone.name}</h2><p class="soft">${phone.number === null ? 'Hides the number' : `+${phone.number}`}</p>
<p>${windowText}</p>
<form method="post" action="${address}/set"><p><label for="hours">Hours that count as passed since the person wrote</label>
<input id="hours" name="hours" type="range" min="0" max="72" step="1" value="${Math.round(phone.hoursPassed)}"></p>
<p><label for="next">The next message to this phone</label><select id="next" name="next">${NEXT.map(
    ([name, words]) => html`<option value="${name}"${name === phone.next && html` selected`}>${words}</option>`,
  )}</select></p><button>Set</button></form>
<form method="post" action="${address}/read"><button class="plain">Read what is unread</button></form></section></div>`
  const links = [
    { href: '/sandbox', label: 'Overview' },
    ...state.phones.map((each, at) => ({ href: `/phones/${at + 1}`, label: each.name, isHere: each === phone })),
  ]
  return page({
    vendor: 'WhatsApp',
    title: `Phone of ${phone.name}`,
    content,
    links,
    home,
    ownStyle: phoneStyle,
    script: SCRIPT,
  })
}

const missing = (home: string | undefined) =>
  page({ vendor: 'WhatsApp', title: 'Not found', content: html`<p>There is no such phone.</p>`, home }, 404)
