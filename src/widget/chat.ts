import { h, render } from 'preact'
import { type Framed, joinPage } from './frame/joinPage'
import { ownPage } from './frame/surroundings'
import { allowedBefore, createHeldStore, keepAllowed } from './heldStore'
import {
  createHttpTransport,
  hasConversation,
  keptIn,
  leaveMessage,
  linkTokenOf,
  openLink,
  readChatPage,
  ticketOf,
  unlockChat,
} from './httpTransport'
import { type MountedChat, mountChat } from './mount'
import { loadPageTexts } from './pageTexts'
import { createRefresh } from './refresh'
import { createRenewal } from './renewal'
import { createSpeech, type Speech } from './speech'
import type { SpokenTexts } from './texts'
import { ChatFailure } from './transport'
import type { ChatPage, GivenPage } from './types'
import type { ConsentProps } from './view/Consent'
import { showNotice } from './view/Notice'
import './page.css'
import './print.css'

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
let ticket = takeTicket()
let linked = takeLink()
if (root) void open(root, takeGiven())

/** @param given what the page came with; null: it is asked for */
async function open(root: HTMLElement, given: GivenPage | null = null): Promise<void> {
  try {
    const page = given?.page ?? (await readChatPage(slug))
    if (linked !== null) ticket = (await openLink(slug, linked)) ?? ticket
    linked = null
    const spoken = await createSpeech(slug, browser).of(page, given?.spoken as SpokenTexts | undefined)
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
    const { texts } = await createSpeech(slug, browser).of({ language: 'auto', texts: {} })
    document.title = gone ? texts.goneTitle : texts.failedTitle
    showNotice(root, { texts, kind: gone ? 'gone' : 'failed', said, onRetry: () => void open(root) })
  }
}

async function showChat(root: HTMLElement, page: ChatPage, spoken: SpokenTexts): Promise<void> {
  const access = visit.getItem(ACCESS)
  const mayKeep = ({ consent }: ChatPage) => !consent || allowedBefore(browser).agreed
  const held = [createHeldStore(browser, mayKeep(page)), createHeldStore(visit, mayKeep(page))] as const
  let renewal: ReturnType<typeof createRenewal> | undefined
  let refresh = () => {}
  const state = createPageState(page, createSpeech(slug, held[0]))
  const transport = createHttpTransport(slug, ...held, {
    surroundings: { ...ownPage, published: ({ what }) => (what === 'flow' ? renewal?.published() : refresh()) },
    access,
    ticket,
    isClosed: state.isClosed,
    onLanguage: state.heard,
    onLocked() {
      visit.removeItem(ACCESS)
      location.reload()
    },
  })
  const asked = await state.drawn(spoken)
  render(null, root)
  root.replaceChildren()
  const { session, draw } = mountChat(root, { transport, ...asked })
  state.attach(draw)
  addEventListener('beforeprint', session.loadWhole)
  let consent: { close(): void } | null = null
  /**
   * Once an editor asks for consent, what this browser has kept goes until the visitor agrees, and when they no longer
   * do.
   */
  async function keepAsSet(now: ChatPage): Promise<void> {
    for (const store of held) store.consent(mayKeep(now))
    if (!now.consent) {
      consent?.close()
      consent = null
    } else
      consent ??= await askConsent(root, spoken, allowedBefore(browser), (given, question, counted) => {
        keepAllowed(browser, given, counted)
        void transport.consent(given, question, counted)
        for (const store of held) store.consent(given)
      })
  }
  refresh = createRefresh(
    () => readChatPage(slug),
    (now) => {
      state.set(now)
      void keepAsSet(now)
    },
  )
  renewal = createRenewal(session)
  await keepAsSet(page)
}

/** Within a page of another site, which says how it begins and whether anything may be stored. */
async function showFramed(
  root: HTMLElement,
  page: ChatPage,
  first: SpokenTexts,
  begun: GivenPage['begun'],
): Promise<void> {
  // print.css is for the page of a chat alone
  document.documentElement.dataset.framed = ''
  const framed = await joinPage(slug)
  const speech = createSpeech(slug, framed.browser)
  const spoken = await speech.of(page, first)
  const state = createPageState(page, speech)
  const transport = createHttpTransport(slug, framed.browser, framed.visit, {
    ticket: ticket ?? framed.ticket,
    isClosed: state.isClosed,
    onLanguage: state.heard,
    surroundings: framed.surroundings,
  })
  if (page.closed && !ticket && !framed.ticket && !hasConversation(slug, framed.browser))
    return showClosed(root, page, page.closed, spoken, framed.close)
  const asked = await state.drawn(spoken)
  const opened = begun && transport.take(begun)
  const { session, draw } = mountChat(root, {
    transport,
    ...asked,
    opensAtOnce: false,
    opened,
    // a part of a page leaves the keyboard where it is
    takesCursor: framed.close !== null,
    ...(framed.close && { close: framed.close }),
  })
  state.attach(draw)
  root.inert = false
  document.getElementById('first-dark')?.remove()
  framed.attach(
    session,
    transport,
    createRefresh(() => readChatPage(slug), state.set),
  )
  if (!opened) await session.open()
}

type Spoken = Pick<SpokenTexts, 'language' | 'texts'>

/**
 * How an open chat is drawn: by what is set of its chatbot now, and in the language that its visitor turned out to
 * write in.
 */
function createPageState(first: ChatPage, speech: Speech) {
  let page = first
  let draw: MountedChat['draw'] = () => {}
  let times = 0
  async function drawn({ language, texts }: SpokenTexts) {
    const { name, look, survey, closed: shut } = page
    const closed = shut ? { ...(await closedOf(shut, { language, texts })), texts } : undefined
    return { name, look, survey, texts, language, closed }
  }
  async function redraw(): Promise<void> {
    const time = ++times
    const next = await drawn(await speech.of(page))
    // what came meanwhile is drawn by itself
    if (time === times) draw(next)
  }
  return {
    drawn,
    isClosed: () => page.closed !== null,
    attach: (own: MountedChat['draw']) => {
      draw = own
    },
    set(now: ChatPage) {
      page = now
      void redraw()
    },
    heard(language: string) {
      if (page.language === 'auto' && speech.heard(language)) void redraw()
    },
  }
}

/** Above the end of the chat, which it leaves as it is. */
async function askConsent(
  root: HTMLElement,
  { language, texts }: Spoken,
  before: ReturnType<typeof allowedBefore>,
  onSay: (given: boolean, question: string, counted: boolean) => void,
) {
  const [said, { Consent }] = await Promise.all([loadPageTexts(language, texts), import('./view/Consent')])
  const element = document.createElement('div')
  root.firstElementChild?.append(element)
  // a conversation that began on this visit counts until the server is told
  if (!before.counted) onSay(before.agreed, said.consent, false)
  const props: ConsentProps = {
    ...{ said, ...before },
    onSay: (given, counted) => onSay(given, said.consent, counted),
    // only that was said: the question has no answer yet
    onCount: (counted, given) => onSay(given, given ? said.consent : '', counted),
  }
  render(h(Consent, props), element)
  return {
    close() {
      render(null, element)
      element.remove()
    },
  }
}

async function showDoor(
  root: HTMLElement,
  { name, look, login_url }: ChatPage,
  lock: 'password' | 'members',
  { language, texts }: SpokenTexts,
): Promise<void> {
  const [said, { Locked }] = await Promise.all([loadPageTexts(language, texts), import('./view/Locked')])
  async function onPassword(password: string): Promise<void> {
    visit.setItem(ACCESS, await unlockChat(slug, password))
    render(null, root)
    await open(root)
  }
  const loginUrl = login_url ?? ''
  render(h(Locked, { name, look, lock, texts, said, onPassword, loginUrl, isStranger }), root)
}

async function showClosed(
  root: HTMLElement,
  { name, look }: ChatPage,
  closed: NonNullable<ChatPage['closed']>,
  spoken: SpokenTexts,
  close: Framed['close'] = null,
): Promise<void> {
  const [props, { ClosedPage }] = await Promise.all([closedOf(closed, spoken), import('./view/ClosedPage')])
  render(h(ClosedPage, { name, look, ...props, texts: spoken.texts, close }), root)
}

async function closedOf(closed: NonNullable<ChatPage['closed']>, { language, texts }: Spoken) {
  const onLeave = (message: Parameters<typeof leaveMessage>[1]) => leaveMessage(slug, message, visit.getItem(ACCESS))
  return { closed, language, said: await loadPageTexts(language, texts), onLeave }
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

/** Likewise of a link that was sent to somebody at WhatsApp: its token, which is used once. */
function takeLink(): string | null {
  const found = linkTokenOf(location.hash)
  if (found) history.replaceState(history.state, '', location.pathname + location.search)
  return found
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
