import type { Peer } from '../../collab/peerState'
import { boxOf } from '../adapter'
import { touches } from '../boxIndex'
import { draggedNow } from '../canvasStore'
import type { Editor } from '../context'
import type { Box } from '../geometry'
import type { Scene } from '../placed'
import type { Frame } from './frame'
import styles from './PresenceLayer.module.css'

/** The outline's texts, in the interface's language. */
export interface OutlineWords {
  editing: (name: string) => string
}

/** Pixels around a selection; one more step for each further person with the same selection. */
const OUTSET = 3
const STEP = 3

/** Others' selections with their names: drawn from the scene, so they are visible at any zoom. */
export function createOutlines(sheet: HTMLElement, { document: flow, store }: Editor, words: () => OutlineWords) {
  const drawn = new Map<number, HTMLElement[]>()

  function boxNow(scene: Scene, id: string): Box | null {
    const blockGroup = flow.projection().blocks.get(id)?.groupId
    const groupId = blockGroup ?? id
    const box = blockGroup === undefined ? boxOf(scene, id) : boxOf(scene, blockGroup, id)
    const dragged = draggedNow(store.getState()).get(groupId)
    const origin = scene.groups.get(groupId)?.box
    if (!box || !dragged || !origin) return box
    return { ...box, x: box.x + dragged.x - origin.x, y: box.y + dragged.y - origin.y }
  }

  return {
    draw(peers: ReadonlyMap<number, Peer>, scene: Scene, { seen: { area, zoom } }: Frame): void {
      const chosen = new Map<string, number>()
      for (const [clientId, elements] of drawn)
        if (!peers.get(clientId)?.selection) {
          for (const element of elements) element.remove()
          drawn.delete(clientId)
        }
      for (const peer of peers.values()) {
        if (!peer.selection) continue
        const elements = drawn.get(peer.clientId) ?? []
        drawn.set(peer.clientId, elements)
        let used = 0
        for (const id of peer.selection.ids) {
          const box = boxNow(scene, id)
          if (!box || !touches(box, area)) continue
          const level = chosen.get(id) ?? 0
          chosen.set(id, level + 1)
          const element = elements[used] ?? makeOutline()
          if (!elements[used]) {
            elements.push(element)
            sheet.prepend(element)
          }
          paint(element, peer, box, { zoom, level, radius: flow.projection().groups.has(id) ? 12 : 8 })
          const tag = element.firstElementChild as HTMLElement
          // the name once per person
          tag.hidden = used > 0
          if (used === 0) setText(tag, tagOf(peer, id, words()))
          used += 1
        }
        for (const element of elements.splice(used)) element.remove()
      }
    },
  }
}

function tagOf({ person, selection, field }: Peer, id: string, words: OutlineWords): string {
  if (field?.split('/')[0] === id) return words.editing(person.name)
  return selection && selection.count > 1 ? `${person.name} · ${selection.count}` : person.name
}

function makeOutline(): HTMLElement {
  const element = document.createElement('div')
  element.className = styles.outline ?? ''
  const tag = document.createElement('span')
  tag.className = styles.tag ?? ''
  element.append(tag)
  return element
}

function paint(
  element: HTMLElement,
  { person }: Peer,
  box: Box,
  { zoom, level, radius }: { zoom: number; level: number; radius: number },
): void {
  const out = OUTSET + level * STEP
  const { style, dataset } = element
  style.setProperty('--person', person.color)
  style.setProperty('--level', String(level))
  style.transform = `translate(${box.x * zoom - out}px, ${box.y * zoom - out}px)`
  style.width = `${box.width * zoom + 2 * out}px`
  style.height = `${box.height * zoom + 2 * out}px`
  style.borderRadius = `${radius * zoom + out}px`
  dataset.selectedBy = person.name
  element.toggleAttribute('data-viewer', person.viewer)
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}
