import { charge } from '../budget'
import { readLink } from './linkAddress'
import { renderUrl } from './places'
import { MAX_RENDERED, printer, type Variables } from './render'
import { isChip, type RenderedRichText, type RichText } from './richText'
import { isLinkUrl } from './url'

/** The cost of a piece of text in addition to its characters. */
const PIECE = 50

/**
 * Replaces every variable of a rich text by its value; a value's line breaks stay inside its paragraph. A link whose
 * rendered address is not allowed becomes plain text.
 */
export function renderRichText(content: RichText, variables: Variables): RenderedRichText {
  const print = printer(variables)
  const resolve = linkResolver(variables)
  return content.map((paragraph) => ({
    ...paragraph,
    children: paragraph.children.map((child) => {
      charge(PIECE + child.text.length)
      const { link, ...rest } = child
      const address = link === undefined ? null : resolve(link)
      const linked = { ...rest, ...(address !== null && { link: address }) }
      if (!isChip(linked)) return linked
      const { variable: _, variable_id, path, ...marks } = linked
      return { ...marks, text: print(variable_id, path) }
    }),
  }))
}

/**
 * All addresses of one text share a limit of `MAX_RENDERED` characters; an address is rendered once, however many
 * pieces it links.
 */
function linkResolver(variables: Variables): (link: string) => string | null {
  const known = new Map<string, string | null>()
  let left = MAX_RENDERED
  return (link) => {
    const made = known.get(link)
    if (made !== undefined) return made
    charge(link.length * 5)
    const value = readLink(link)
    const address = value.type === 'static' ? link : left > 0 ? renderUrl(value, variables) : null
    if (value.type === 'dynamic') left -= address?.length ?? 0
    const allowed = address !== null && left >= 0 && isLinkUrl(address) ? address : null
    known.set(link, allowed)
    return allowed
  }
}
