/** The parts of the builder: its header, the canvas, and each panel that is open; as they stand on the page. */
const REGIONS = 'header, aside, .react-flow'
const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), select:not(:disabled), [contenteditable="true"], [tabindex="0"]:not([role="separator"])'

/**
 * Moves the focus to the next part of the builder, or the one before, round and round.
 *
 * @param enterCanvas puts it on the canvas; false where nothing on that can take it
 */
export function nextRegion(step: 1 | -1, enterCanvas: () => boolean): void {
  const regions = [...document.querySelectorAll<HTMLElement>(REGIONS)].filter(
    (region) =>
      !region.parentElement?.closest('aside, .react-flow') && region.checkVisibility({ visibilityProperty: true }),
  )
  const at = regions.findIndex((region) => region.contains(document.activeElement))
  for (let tried = 1; tried <= regions.length; tried++) {
    const region = regions[(at + step * tried + (at < 0 && step < 0 ? 1 : 0) + 2 * regions.length) % regions.length]
    if (region?.matches('.react-flow') && enterCanvas()) return
    const first = region && firstField((region.matches('.react-flow') && region.parentElement) || region)
    if (!first) continue
    first.focus()
    return
  }
}

/**
 * What one begins at in a part of the builder: its first field, else whatever comes first. A choice that is mostly right as it is
 * (`data-preset`) is passed over.
 */
export function firstField(region: Element): HTMLElement | null {
  const all = [...region.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((element) => element.checkVisibility())
  return all.find((element) => !element.closest('header') && !element.matches(NO_FIELD)) ?? all[0] ?? null
}

/** A button that opens a list is a field: a variable is chosen by it. */
const NO_FIELD = 'button:not([aria-haspopup="listbox"]), a, [data-preset]'

/** The first field of the settings, by their name; null while their form is on its way. */
export function settingsField(label: string): HTMLElement | null {
  const panel = document.querySelector(`aside[aria-label="${CSS.escape(label)}"]`)
  const field = panel && firstField(panel)
  return panel?.querySelector('[aria-busy="true"]') ? null : field
}
