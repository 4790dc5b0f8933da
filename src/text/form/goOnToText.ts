/**
 * After an option was picked, focuses the empty text that follows the list in its form, once it is rendered.
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
