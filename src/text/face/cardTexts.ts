import { caps } from '../../../engine/values/caps'
import type { Json } from '../../../engine/values/json'
import type { CardText } from '../../ui/blockFace'

/** A rich text of the kind, for `BlockFace.texts`. */
export const richCardText = (name: string, shown = true): CardText => ({
  key: name,
  path: name,
  rich: true,
  max: caps.text,
  ...(!shown && { hidden: true }),
})

/** A line with variables, for `BlockFace.texts`. */
export const lineCardText = (name: string, max: number, shown = true): CardText => ({
  key: name,
  path: name,
  rich: false,
  max,
  ...(!shown && { hidden: true }),
})

interface ListOptions<Item> {
  /** the list's name in the data */
  name: string
  items: readonly Item[]
  /** how many there may be */
  most: number
  fewest?: number
  /** characters of a label */
  max?: number
  /** whether the face shows the item at this place */
  isShown?: (place: number) => boolean
  create: (id: string) => Item
}

/** The labels of a list of items, for `BlockFace.texts`: Enter adds one, Backspace takes an empty one away. */
export const listCardTexts = <Item extends { id: string }>(options: ListOptions<Item>): CardText[] => {
  const { name, items, most, fewest = 0, max = caps.label, isShown = () => true, create } = options
  const patch = (list: readonly Item[]) => ({ [name]: list as unknown as Json })
  return items.map((item, place) => ({
    key: item.id,
    path: `${name}.${place}.label`,
    rich: false,
    max,
    ...(!isShown(place) && { hidden: true }),
    item: {
      place,
      count: items.length,
      add:
        items.length >= most
          ? null
          : (newId) => {
              const added = create(newId())
              return { key: added.id, patch: patch(items.toSpliced(place + 1, 0, added)) }
            },
      remove: items.length <= fewest ? null : () => ({ patch: patch(items.toSpliced(place, 1)) }),
    },
  }))
}
