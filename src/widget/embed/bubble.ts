import type { EmbedConfig } from '../../../server/contracts/embed'
import type { ChatShell, EmbeddedChat } from './chat'
import type { Launcher } from './drawLauncher'
import { CLOSE, icon } from './icons'
import { watchElements } from './pageWatch'
import { frameStyles, styled } from './styles'

/** Where the chat takes the whole screen. */
const SMALL = '(max-width: 480px), (max-height: 480px)'

const styles = `${frameStyles}
.teaser{margin-bottom:calc(var(--size) + 14px);max-width:min(300px,100vw - 32px);display:flex;border-radius:var(--radius);background:var(--bg);color:var(--text);box-shadow:0 0 0 1px #8883,0 8px 28px #0003;font-weight:400;font-size:14px;animation:rise .24s}
.said{padding:13px 0 13px 16px;text-align:start;overflow-wrap:anywhere;unicode-bidi:plaintext}
[dir=rtl] .said{padding:13px 16px 13px 0}
.x{flex:none;display:grid;place-items:center;width:36px;height:36px;margin:4px;border-radius:50%;opacity:.7}
.x:hover{opacity:1;background:#8882}
.x svg{width:16px}
@keyframes rise{from{opacity:0;transform:translateY(10px)}}
dialog{position:fixed;margin:0;padding:0;border:0;inset:auto;right:var(--x);bottom:calc(var(--y) + var(--size) + 14px);width:min(400px,100vw - 32px);height:min(680px,100dvh - var(--y) - var(--size) - 34px);max-width:none;max-height:none;border-radius:calc(var(--radius) + 2px);background:var(--bg);box-shadow:0 0 0 1px #8883,0 16px 56px #0004;overflow:hidden;overscroll-behavior:contain}
dialog[open]{animation:rise .2s}
.left>dialog{right:auto;left:var(--x)}
.popup>dialog{inset:0;margin:auto;width:min(640px,100vw - 48px);height:min(760px,100dvh - 48px)}
dialog::backdrop{background:#0006}
.full>dialog{inset:0;margin:0;width:100%;height:100dvh;border-radius:0;padding:env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left)}`

/**
 * The chat above its launcher, or as a dialog over the page (`popup`), opened by elements with `data-parley-open` or by
 * the API. On small screens it covers the page. As a dialog it is modal: it keeps the keyboard focus, and returns it
 * when it closes.
 */
export function createBubble(
  { api, frame, store }: EmbeddedChat,
  { name, settings, launcher, words }: EmbedConfig,
  { host, shadow, root, button, draw }: Launcher,
  isPopup: boolean,
): ChatShell {
  const small = matchMedia(SMALL)
  styled(shadow, styles)
  const teaser = document.createElement('div')
  teaser.className = 'teaser'
  teaser.setAttribute('role', 'status')
  const [said, putAway] = [document.createElement('button'), document.createElement('button')]
  said.className = 'said'
  putAway.className = 'x'
  putAway.setAttribute('aria-label', words.close)
  putAway.appendChild(icon(CLOSE))
  teaser.appendChild(said)
  teaser.appendChild(putAway)
  root.insertBefore(teaser, button)
  /** Says something beside the closed chat; nothing for an empty text. */
  function say(text: string): void {
    said.textContent = text
    teaser.hidden = !text
  }

  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', name)
  frame.title = name
  frame.allow = 'microphone; clipboard-write; autoplay'
  frame.dataset.closes = ''
  dialog.appendChild(frame)
  root.appendChild(dialog)
  let [isOpen, unread, isHere, isCovering] = [false, 0, true, false]

  /** The keyboard of a phone takes room of what one sees, not of the page. */
  function fitToView(): void {
    const view = isOpen && small.matches ? window.visualViewport : null
    dialog.style.height = view ? `${view.height}px` : ''
    dialog.style.top = view ? `${view.offsetTop}px` : ''
  }

  function show(open: boolean): void {
    isOpen = open
    root.classList.toggle('full', small.matches)
    if (open) {
      say('')
      if (isPopup || small.matches) dialog.showModal()
      else dialog.show()
      frame.focus()
    } else {
      dialog.close()
      // what had the keyboard before is gone, or was none
      const here = shadow.activeElement
      const isLost = here ? here === frame || here === dialog : document.activeElement === document.body
      if (!isPopup && isLost) button.focus()
    }
    draw(isOpen, unread)
    fitToView()
  }

  function resize(): void {
    if (isOpen && root.classList.contains('full') !== small.matches) {
      // what is modal becomes so by being opened
      dialog.close()
      show(true)
    } else fitToView()
  }
  function openByPage({ target }: Event): void {
    if (target instanceof Element && target.closest('[data-parley-open]')) api.open()
  }
  const drawPlace = () => root.classList.toggle('hidden', !isHere || (isCovering && !isOpen))
  say(store.tab('teaser') === null ? launcher.hovering : '')
  said.addEventListener('click', () => api.open())
  putAway.addEventListener('click', () => {
    store.setTab('teaser', '1')
    say('')
    button.focus()
  })
  button.onclick = () => api.toggle()
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    api.close()
  })
  dialog.addEventListener('click', (event) => event.target === dialog && api.close())
  root.addEventListener('keydown', ({ key }) => key === 'Escape' && isOpen && api.close())
  document.addEventListener('click', openByPage)
  small.addEventListener('change', resize)
  window.visualViewport?.addEventListener('resize', fitToView)
  const stop = watchElements(settings.excluded_class, settings.excluded_id, (seen) => {
    isCovering = seen
    drawPlace()
  })

  return {
    show,
    unread(count, text) {
      unread = count
      draw(isOpen, count)
      if (count > 0 && !isOpen) say(text)
    },
    hide(hidden) {
      isHere = !hidden
      drawPlace()
      if (hidden && isOpen) api.close()
    },
    remove() {
      stop()
      document.removeEventListener('click', openByPage)
      small.removeEventListener('change', resize)
      window.visualViewport?.removeEventListener('resize', fitToView)
      host.parentNode?.removeChild(host)
    },
  }
}
