/**
 * Puts the focus into the text that follows a list in its form, once the form is drawn with the option that was just picked: it is what
 * one writes next, as in filters. For options that ask for a text, and while that text is empty.
 * @param listId the list's own element
 */
export function goOnToText(listId: string): void {
  requestAnimationFrame(() => {
    const list = document.getElementById(listId)
    const texts = list?.closest('aside')?.querySelectorAll<HTMLElement>('[role="textbox"]') ?? []
    const following = [...texts].find(
      (text) => list && (list.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    )
    following?.focus()
  })
}
