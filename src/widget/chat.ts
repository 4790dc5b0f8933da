import { h, render } from 'preact'
import { type Framed, joinPage } from './frame/joinPage'
import { ownPage } from './frame/surroundings'
import { createHeldStore, hasAgreed, keepAgreed } from './heldStore'
import {
  createHttpTransport,
  hasConversation,
  keptIn,
  leaveMessage,
  readChatPage,
  ticketOf,
  unlockChat,
} from './httpTransport'
import { mountChat } from './mount'
import { loadPageTexts } from './pageTexts'
import { createRefresh } from './refresh'
import { createRenewal } from './renewal'
import { loadTexts, type OwnTexts, type SpokenTexts, textLanguageOf, withOwnTexts } from './texts'
import { ChatFailure } from './transport'
import type { ChatPage, GivenPage } from './types'
import { showNotice } from './view/Notice'
import './page.css'

/**
 * The shared page, /c/<slug>, and the chat that other sites show in a frame, /embed/@<external id>. At a chatbot's own
 * host, the page's head names the chatbot.
 */
const [, place, name = ''] = location.pathname.split('/')
const named = document.querySelector<HTMLMetaElement>('meta[name="parley-chatbot"]')?.content
const slug = named ?? decodeURIComponent(name)
const browser = keptIn(() => localStorage)
const visit = keptIn(() => sessionStorage)
const ACCESS = `parley:access:${slug}`
const root = document.getElementById('chat')
const isStranger = takePass()
const ticket = takeTicket()
if (root) void open(root, takeGiven())

/** @param given what the page came with; null: it is asked for */
async function open(root: HTMLElement, given: GivenPage | null = null): Promise<void> {
  try {
    const page = given?.page ?? (await readChatPage(slug))
    const wanted = page.language === 'auto' ? navigator.language : page.language
    const spoken =
      given?.spoken.language === textLanguageOf(wanted)
        ? use(given.spoken as SpokenTexts)
        : await speak(wanted, page.texts)
    // the server has said what the page is called
    document.title ||= page.name
    if (place === 'embed') return await showFramed(root, page, spoken, given?.begun ?? null)
    const access = visit.getItem(ACCESS)
    if (page.lock && !access) await showDoor(root, page, page.lock, spoken)
    else if (page.closed && !ticket && !hasConversation(slug, browser))
      await showClosed(root, page, page.closed, spoken)
    else await showChat(root, page, spoken)
  } catch (failure) {
    const said = failure instanceof ChatFailure ? failure.said : null
    const gone = failure instanceof ChatFailure && failure.reason === 'gone'
    const { texts } = await speak(navigator.language)
    document.title = gone ? texts.goneTitle : texts.failedTitle
    showNotice(root, { texts, kind: gone ? 'gone' : 'failed', said, onRetry: () => void open(root) })
  }
}

async function showChat(root: HTMLElement, page: ChatPage, { language, texts }: SpokenTexts): Promise<void> {
  const access = visit.getItem(ACCESS)
  const asksConsent = page.consent && !hasAgreed(browser)
  const held = asksConsent ? [createHeldStore(browser, false), createHeldStore(visit, false)] : []
  const [lasting = browser, ofTab = visit] = held
  let renewal: ReturnType<typeof createRenewal> | undefined
  let refresh = () => {}
  const transport = createHttpTransport(slug, lasting, ofTab, {
    surroundings: { ...ownPage, published: ({ what }) => (what === 'flow' ? renewal?.published() : refresh()) },
    access,
    ticket,
    closed: page.closed !== null,
    survey: page.survey,
    onLocked() {
      visit.removeItem(ACCESS)
      location.reload()
    },
  })
  const closed = page.closed && { ...(await closedOf(page.closed, language)), texts }
  render(null, root)
  root.replaceChildren()
  const { session, draw } = mountChat(root, {
    transport,
    name: page.name,
    texts,
    language,
    look: page.look,
    ...(closed && { closed }),
  })
  refresh = createRefresh(() => readChatPage(slug), draw)
  renewal = createRenewal(session)
  if (asksConsent)
    await askConsent(root, language, () => {
      for (const store of held) store.consent(true)
      keepAgreed(browser)
    })
}

/** Within a page of another site, which says how it begins and whether anything may be stored. */
async function showFramed(
  root: HTMLElement,
  page: ChatPage,
  spoken: SpokenTexts,
  begun: GivenPage['begun'],
): Promise<void> {
  const { language, texts } = spoken
  const framed = await joinPage(slug)
  const transport = createHttpTransport(slug, framed.browser, framed.visit, {
    ticket: ticket ?? framed.ticket,
    closed: page.closed !== null,
    survey: page.survey,
    surroundings: framed.surroundings,
  })
  if (page.closed && !ticket && !framed.ticket && !hasConversation(slug, framed.browser))
    return showClosed(root, page, page.closed, spoken, framed.close)
  const closed = page.closed && { ...(await closedOf(page.closed, language)), texts }
  const opened = begun && transport.take(begun)
  const { session, draw } = mountChat(root, {
    transport,
    name: page.name,
    texts,
    language,
    look: page.look,
    opensAtOnce: false,
    opened,
    // a part of a page leaves the keyboard where it is
    takesCursor: framed.close !== null,
    ...(framed.close && { close: framed.close }),
    ...(closed && { closed }),
  })
  root.inert = false
  document.getElementById('first-dark')?.remove()
  framed.attach(
    session,
    transport,
    createRefresh(() => readChatPage(slug), draw),
  )
  if (!opened) await session.open()
}

/** Above the end of the chat, which it leaves as it is. */
async function askConsent(root: HTMLElement, language: string, onAgree: () => void): Promise<void> {
  const [said, { Consent }] = await Promise.all([loadPageTexts(language), import('./view/Consent')])
  const element = document.createElement('div')
  root.firstElementChild?.append(element)
  render(h(Consent, { said, onAgree }), element)
}

async function showDoor(
  root: HTMLElement,
  { name, login_url }: ChatPage,
  lock: 'password' | 'members',
  { language, texts }: SpokenTexts,
): Promise<void> {
  const [said, { Locked }] = await Promise.all([loadPageTexts(language), import('./view/Locked')])
  async function onPassword(password: string): Promise<void> {
    visit.setItem(ACCESS, await unlockChat(slug, password))
    render(null, root)
    await open(root)
  }
  const loginUrl = login_url ?? ''
  render(h(Locked, { name, lock, texts, said, onPassword, loginUrl, isStranger }), root)
}

async function showClosed(
  root: HTMLElement,
  { name }: ChatPage,
  closed: NonNullable<ChatPage['closed']>,
  { language, texts }: SpokenTexts,
  close: Framed['close'] = null,
): Promise<void> {
  const [props, { ClosedPage }] = await Promise.all([closedOf(closed, language), import('./view/ClosedPage')])
  render(h(ClosedPage, { name, ...props, texts, close }), root)
}

async function closedOf(closed: NonNullable<ChatPage['closed']>, language: string) {
  const onLeave = (message: Parameters<typeof leaveMessage>[1]) => leaveMessage(slug, message, visit.getItem(ACCESS))
  return { closed, language, said: await loadPageTexts(language), onLeave }
}

/**
 * Takes the pass with which a member returns from the log-in out of the address's fragment.
 * @returns whether the fragment says that the person is no member
 */
function takePass(): boolean {
  const { hash } = location
  const pass = /^#access=([\w.-]+)$/.exec(hash)?.[1]
  if (!pass && hash !== '#no-member') return false
  history.replaceState(history.state, '', location.pathname + location.search)
  if (pass) visit.setItem(ACCESS, pass)
  return !pass
}

/** The link of a mail has the conversation in its fragment, which goes from the address at once. */
function takeTicket() {
  const found = ticketOf(location.hash)
  if (found) history.replaceState(history.state, '', location.pathname + location.search)
  return found
}

/** Has the page speak a language. */
const speak = async (wanted: string, own: OwnTexts = {}): Promise<SpokenTexts> =>
  use(withOwnTexts(await loadTexts(wanted), own))

function use(spoken: SpokenTexts): SpokenTexts {
  Object.assign(document.documentElement, { lang: spoken.language, dir: spoken.dir })
  return spoken
}

/**
 * What the server has put into the page, once: loaded again from the same address, the page must begin no other
 * conversation, and what lets it begin one goes from the address.
 */
function takeGiven(): GivenPage | null {
  const element = document.getElementById('given')
  if (new URLSearchParams(location.search).has('begin'))
    history.replaceState(history.state, '', location.pathname + location.hash)
  element?.remove()
  return element ? (JSON.parse(element.textContent) as GivenPage) : null
}
