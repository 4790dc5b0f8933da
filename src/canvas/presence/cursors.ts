import type { Peer } from '../../collab/peerState'
import type { Point } from '../geometry'
import { approach } from './approach'
import type { Frame } from './frame'
import styles from './PresenceLayer.module.css'

/** ms after which a resting pointer fades. */
const IDLE_MS = 8_000
/** How far beyond the edge a pointer may be while its name is visible, on the screen. */
const MARGIN = 220

interface Cursor {
  element: HTMLElement
  /** the peer's data it was rendered from */
  person: Peer['person']
  goal: Point
  at: Point
  movedAt: number
  shown: boolean
}

/** Others' pointers with their names, in their colours. */
export function createCursors(sheet: HTMLElement) {
  const cursors = new Map<number, Cursor>()
  let drawnZoom = 0

  function cursorOf(peer: Peer, goal: Point, now: number): Cursor {
    const known = cursors.get(peer.clientId)
    if (known?.person === peer.person) return known
    known?.element.remove()
    const element = makeCursor(peer)
    sheet.append(element)
    const made = { element, person: peer.person, goal, at: goal, movedAt: now, shown: true }
    cursors.set(peer.clientId, made)
    place(made, drawnZoom)
    return made
  }

  return {
    /** @returns whether any is still moving */
    draw(peers: ReadonlyMap<number, Peer>, { seen, now, elapsed, still }: Frame, hidden: boolean): boolean {
      const { area, zoom } = seen
      const margin = MARGIN / zoom
      const zoomed = zoom !== drawnZoom
      drawnZoom = zoom
      let moving = false
      for (const peer of peers.values()) {
        if (!peer.cursor || hidden) continue
        const cursor = cursorOf(peer, peer.cursor, now)
        if (cursor.goal !== peer.cursor) {
          cursor.goal = peer.cursor
          cursor.movedAt = now
        }
        const { at, goal } = cursor
        if (at !== goal) cursor.at = still ? goal : approach(at, goal, elapsed, 1 / zoom)
        moving ||= cursor.at !== goal
        const { x, y } = cursor.at
        const inSight =
          x > area.x - margin && y > area.y - margin && x < area.x + area.width + 9 && y < area.y + area.height + 9
        if (inSight !== cursor.shown) {
          cursor.shown = inSight
          cursor.element.style.display = inSight ? '' : 'none'
        }
        if (inSight && (cursor.at !== at || zoomed)) place(cursor, zoom)
        cursor.element.toggleAttribute('data-idle', now - cursor.movedAt > IDLE_MS)
      }
      for (const [clientId, { element }] of cursors)
        if (hidden || !peers.get(clientId)?.cursor) {
          element.remove()
          cursors.delete(clientId)
        }
      return moving
    },
    any: () => cursors.size > 0,
  }
}

function place({ element, at }: Cursor, zoom: number): void {
  element.style.transform = `translate(${at.x * zoom}px, ${at.y * zoom}px)`
}

const ARROW = 'M1 1 L1 15 L5 11.4 L7.6 17.2 L10.2 16 L7.6 10.4 L13 10.2 Z'

function makeCursor({ person }: Peer): HTMLElement {
  const element = document.createElement('div')
  element.className = styles.cursor ?? ''
  element.dataset.cursor = person.name
  element.style.setProperty('--person', person.color)
  element.innerHTML = `<svg width="16" height="20" viewBox="0 0 16 20"><path d="${ARROW}"/></svg>`
  const flag = document.createElement('span')
  flag.className = styles.flag ?? ''
  flag.textContent = person.name
  element.append(flag)
  return element
}
