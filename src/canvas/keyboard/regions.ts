/** The regions of the builder, in page order: its header, the canvas, and each open panel. */
const REGIONS = 'header, aside, .react-flow'
const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), select:not(:disabled), [contenteditable="true"], [tabindex="0"]:not([role="separator"])'

/**
 * Moves the focus to the next or previous region, cyclically.
 *
 * @param enterCanvas focuses the canvas; false if nothing there is focusable
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
 * The first focus target of a region: its first field, otherwise anything focusable. Fields with a usual preset
 * (`data-preset`) are skipped.
 */
export function firstField(region: Element): HTMLElement | null {
  const all = [...region.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((element) => element.checkVisibility())
  return all.find((element) => !element.closest('header') && !element.matches(NO_FIELD)) ?? all[0] ?? null
}

/** A button that opens a list counts as a field, such as for choosing a variable. */
const NO_FIELD = 'button:not([aria-haspopup="listbox"]), a, [data-preset]'

/** The first field of the settings panel with that label; null while its form is loading. */
export function settingsField(label: string): HTMLElement | null {
  const panel = document.querySelector(`aside[aria-label="${CSS.escape(label)}"]`)
  const field = panel && firstField(panel)
  return panel?.querySelector('[aria-busy="true"]') ? null : field
}
