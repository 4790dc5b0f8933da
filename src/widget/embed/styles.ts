/** In constructed style sheets: a page's `style-src` says nothing of them, and its styles do not reach in. */
export function styled(root: ShadowRoot, text: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
}

/**
 * Sets styles that the page's own, `!important` ones too, must not change. Not by a `style` attribute, which a strict
 * `style-src` refuses.
 * @param properties in the syntax of a style attribute
 */
export function fix(element: HTMLElement, properties: string): void {
  const all = properties.split(';')
  for (let n = 0; n < all.length; n++) {
    const [name = '', value = ''] = (all[n] ?? '').split(':')
    element.style.setProperty(name, value, 'important')
  }
}

export const frameStyles = 'iframe{display:block;width:100%;height:100%;border:0;color-scheme:normal}'
