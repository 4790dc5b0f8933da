import type { EmbedConfig } from '../../../server/contracts/embed'
import { DOWN, icon } from './icons'
import { launcherStyles } from './launcherStyles'
import { fix, styled } from './styles'

/** What stands beside a page: in a closed shadow root, where neither its styles nor its scripts reach. */
export interface Launcher {
  host: HTMLElement
  shadow: ShadowRoot
  root: HTMLElement
  button: HTMLElement
  /** how it looks now: beside an open chat it closes it */
  draw(isOpen: boolean, unread: number): void
}

/**
 * The launcher in its corner. It moves nothing of the page.
 * @param isPopup the page opens it: there is no launcher
 */
export function drawLauncher(origin: string, { launcher, words }: EmbedConfig, isPopup: boolean): Launcher {
  const host = document.createElement('parley-launcher')
  fix(host, 'all:initial;display:block;position:fixed;width:0;height:0;z-index:2147483000')
  const shadow = host.attachShadow({ mode: 'closed' })
  styled(shadow, launcherStyles)
  const root = document.createElement('div')
  root.className = `root ${launcher.position}${launcher.on_mobile ? '' : ' desk'}${isPopup ? ' popup' : ''}`
  root.dir = words.dir
  const button = document.createElement('button')
  button.className = 'launcher'
  button.setAttribute('aria-haspopup', 'dialog')

  const dark = matchMedia('(prefers-color-scheme:dark)')
  function drawColours(): void {
    const { scheme, offset_x, offset_y, size, radius } = launcher
    const isDark = scheme === 'system' ? dark.matches : scheme === 'dark'
    const { accent, on, background, text } = launcher[isDark ? 'dark' : 'light']
    root.style.cssText = `--accent:${accent};--on:${on};--bg:${background};--text:${text};--x:${offset_x}px;--y:${offset_y}px;--size:${size}px;--radius:${radius}px`
  }

  function draw(isOpen: boolean, unread: number): void {
    button.textContent = ''
    const text = isOpen ? '' : launcher.text
    const add = (tag: 'span' | 'b', content: string) => {
      const element = document.createElement(tag)
      element.textContent = content
      button.appendChild(element)
    }
    if (!isOpen && launcher.image) {
      const image = new Image()
      image.src = new URL(launcher.image, origin).href
      image.alt = ''
      button.appendChild(image)
    } else button.appendChild(icon(isOpen ? DOWN : launcher.icon))
    if (text) add('span', text)
    button.classList.toggle('worded', !!text)
    const count = isOpen || !unread ? '' : `${unread}`
    if (count) add('b', count)
    button.setAttribute('aria-label', (isOpen ? words.close : text || words.open) + (count && ` (${count})`))
    button.setAttribute('aria-expanded', `${isOpen}`)
  }

  dark.addEventListener('change', drawColours)
  drawColours()
  draw(false, 0)
  root.appendChild(button)
  shadow.appendChild(root)
  document.documentElement.appendChild(host)
  return { host, shadow, root, button, draw }
}
