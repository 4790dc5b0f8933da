import { type Answer, type Call, fieldsOf, one } from '../call'
import { type Html, html } from '../pages/html'
import { goTo, page } from '../pages/page'
import type { Route } from '../routes'
import { drawMessage } from './drawMessage'
import { statusError } from './errors'
import { phoneStyle } from './phoneStyle'
import type { Phones } from './phones'
import {
  type BusinessNumber,
  chatWith,
  hoursSince,
  isWindowOpen,
  type MessageContent,
  type Phone,
  type PhoneMessage,
  type WhatsappState,
} from './state'

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
const REACTION = '👍'

/** A chat of a phone, and where it is. */
interface Chat {
  phone: Phone
  /** of the business */
  number: BusinessNumber
  path: string
  query: string
}
const NOT_SUPPORTED = statusError(131051, 'Message type is currently not supported.')
const NEXT: readonly [Phone['next'], string][] = [
  ['arrives', 'arrives and is read'],
  ['stays unread', 'arrives and stays unread'],
  ['fails', 'does not arrive'],
]
/** Keeps what is shown fresh without taking away what is being typed. */
const SCRIPT = `
const log = document.querySelector('.log')
const chats = document.querySelector('.chats')
const end = () => { log.scrollTop = log.scrollHeight }
end()
const refresh = async (part, name) => {
  if (part.querySelector('details[open]') || part.contains(document.activeElement)) return
  const answer = await fetch(location.pathname + '/' + name + location.search).catch(() => null)
  if (!answer || !answer.ok) return
  const text = await answer.text()
  if (text === part.dataset.shown) return
  part.dataset.shown = text
  part.innerHTML = text
  if (part === log) end()
}
setInterval(() => { refresh(log, 'log'); refresh(chats, 'chats') }, 1000)
`

/** Phones of people who write to the business: what they see, write, press and send, and what time has passed. */
export function phonePages(state: WhatsappState, phones: Phones, home: string | undefined): Route[] {
  const ours = (method: 'GET' | 'POST', path: string, handle: (chat: Chat, call: Call) => Answer): Route => ({
    method,
    path,
    ours: true,
    handle(call) {
      const phone = state.phones[Number(call.params.phone) - 1]
      const at = Number(one(call.query.chat) ?? 1)
      const number = state.numbers[at - 1]
      if (!phone || !number) return missing(home)
      const path = `/phones/${state.phones.indexOf(phone) + 1}`
      return handle({ phone, number, path, query: at === 1 ? '' : `?chat=${at}` }, call)
    },
  })
  const done = ({ path, query }: Chat) => goTo(path + query)
  const onMessage = (chat: Chat, call: Call, act: (message: PhoneMessage) => void) => {
    const id = String(fieldsOf(call.body).message)
    const message = chatWith(chat.phone, state, chat.number).find((each) => each.id === id)
    if (message) act(message)
    return done(chat)
  }
  const write = ({ phone, number }: Chat, content: MessageContent, replyTo?: string) =>
    phones.write(phone, content, replyTo, {}, number)
  return [
    ours('GET', '/phones/{phone}', (chat) => phonePage(state, chat, home)),
    ours('GET', '/phones/{phone}/log', (chat) => ({ status: 200, body: logOf(state, chat).text })),
    ours('GET', '/phones/{phone}/chats', (chat) => ({ status: 200, body: chatsOf(state, chat).text })),
    ours('POST', '/phones/{phone}/write', (chat, call) => {
      const body = String(fieldsOf(call.body).text ?? '')
        .trim()
        .slice(0, MOST_TEXT)
      if (body !== '') write(chat, { type: 'text', text: { body } })
      return done(chat)
    }),
    ours('POST', '/phones/{phone}/press', (chat, call) => {
      const { message, kind, option, title, description } = fieldsOf(call.body)
      const reply = {
        id: String(option),
        title: String(title),
        ...(description ? { description: String(description) } : {}),
      }
      if (kind === 'button') {
        const button = { payload: String(option), text: String(title) }
        write(chat, { type: 'button', button }, String(message))
        return done(chat)
      }
      const type = kind === 'list_reply' ? 'list_reply' : 'button_reply'
      write(chat, { type: 'interactive', interactive: { type, [type]: reply } }, String(message))
      return done(chat)
    }),
    ours('POST', '/phones/{phone}/send', (chat, call) => {
      write(chat, sampleOf(state, String(fieldsOf(call.body).what)))
      return done(chat)
    }),
    ours('POST', '/phones/{phone}/set', (chat, call) => {
      const { phone } = chat
      const { hours, next } = fieldsOf(call.body)
      phone.hoursPassed = Math.min(Math.max(Number(hours) || 0, 0), 24 * 30)
      phone.next = NEXT.find(([name]) => name === next)?.[0] ?? 'arrives'
      return done(chat)
    }),
    ours('POST', '/phones/{phone}/read', (chat) => {
      phones.read(chat.phone, chat.number)
      return done(chat)
    }),
    ours('POST', '/phones/{phone}/react', (chat, call) =>
      onMessage(chat, call, (message) => phones.react(chat.phone, message, REACTION)),
    ),
    ours('POST', '/phones/{phone}/delete', (chat, call) =>
      onMessage(chat, call, (message) => {
        if (message.from === 'person') phones.revoke(chat.phone, message)
      }),
    ),
    ours('POST', '/phones/{phone}/move', (chat, call) => {
      const number = String(fieldsOf(call.body).number ?? '').replace(/[\s+-]/g, '')
      const isFree = /^\d{6,15}$/.test(number) && !state.phones.some((phone) => phone.number === number)
      if (isFree) phones.move(chat.phone, number)
      return done(chat)
    }),
  ]
}

function sampleOf(state: WhatsappState, what: string): MessageContent {
  // such as WhatsApp passes on to no business
  if (what === 'poll') return { type: 'unsupported', unsupported: { type: 'poll' }, errors: [NOT_SUPPORTED] }
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

function logOf(state: WhatsappState, { phone, number, path, query }: Chat): Html {
  const messages = chatWith(phone, state, number)
  return messages.length === 0
    ? html`<li class="soft">Nothing was said yet. Write to the business below.</li>`
    : html`${messages.map((message) => drawMessage(message, (act) => `${path}/${act}${query}`))}`
}

/** The phone's chats: one with each number of the business. */
const chatsOf = (state: WhatsappState, { phone, number, path }: Chat): Html =>
  html`${state.numbers.map((each, at) => {
    const messages = chatWith(phone, state, each)
    const last = messages.at(-1)
    const unread = messages.filter(({ from, status }) => from === 'business' && status === 'delivered').length
    const words = last ? wordsOf(last.content) : 'Nothing was said yet'
    return html`<li><a href="${path}${at > 0 && `?chat=${at + 1}`}"${each === number && html` aria-current="true"`}><strong>${each.name}</strong>
<time>${last ? last.at.toISOString().slice(11, 16) : ''}</time><span class="soft">${last?.from === 'person' ? 'You: ' : ''}${words}</span>${
      unread > 0 ? html`<b title="Unread">${unread}</b>` : ''
    }</a></li>`
  })}`

/** What a message says, in a line. */
function wordsOf(content: MessageContent): string {
  const { body, caption } = fieldsOf(content[content.type])
  const text = typeof body === 'string' ? body : fieldsOf(body).text
  return String(text ?? caption ?? content.type).slice(0, 60)
}

function phonePage(state: WhatsappState, chat: Chat, home: string | undefined): Answer {
  const { phone, number, path, query } = chat
  const to = (act: string) => `${path}/${act}${query}`
  const hours = hoursSince(phone, state, number)
  const windowText =
    hours === null
      ? 'The person never wrote: the business may send templates alone.'
      : isWindowOpen(phone, state, number)
        ? `The business may write for ${Math.ceil(24 - hours)} more hours.`
        : 'More than 24 hours have passed: the business may send templates alone.'
  const content = html`<div class="desk"><section class="phone" aria-label="The phone of ${phone.name}">
<ul class="chats" aria-label="Chats">${chatsOf(state, chat)}</ul>
<div class="bar"><strong>${number.name}</strong><span>${number.display}</span></div>
<ul class="log" tabindex="0" aria-label="Messages">${logOf(state, chat)}</ul>
<form class="write" method="post" action="${to('write')}"><label class="hidden" for="text">Message</label>
<input id="text" name="text" autocomplete="off" placeholder="Message" maxlength="${MOST_TEXT}" autofocus><button>Send</button></form>
<form class="write" method="post" action="${to('send')}">${(
    ['photo', 'voice', 'document', 'location', 'poll'] as const
  ).map(
    (what) =>
      html`<button class="plain" name="what" value="${what}">${what[0]?.toUpperCase()}${what.slice(1)}</button>`,
  )}</form></section>
<section class="card"><h2>${phone.name}</h2><p class="soft">${phone.number === null ? 'Hides the number' : `+${phone.number}`}</p>
<p>${windowText}</p>
<form method="post" action="${to('set')}"><p><label for="hours">Hours that count as passed since the person wrote</label>
<input id="hours" name="hours" type="range" min="0" max="72" step="1" value="${Math.round(phone.hoursPassed)}"></p>
<p><label for="next">The next message to this phone</label><select id="next" name="next">${NEXT.map(
    ([name, words]) => html`<option value="${name}"${name === phone.next && html` selected`}>${words}</option>`,
  )}</select></p><button>Set</button></form>
<form method="post" action="${to('read')}"><button class="plain">Read what is unread</button></form>
${
  phone.number !== null &&
  html`<form method="post" action="${to('move')}"><p><label for="number">Go on with a new number</label>
<input id="number" name="number" inputmode="tel" autocomplete="off"></p><button class="plain">Change the number</button></form>`
}</section></div>`
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
