import { pathToFileURL } from 'node:url'

/** The language detector's letter groups: 1.6 MB of one object, which the package writes as JavaScript. */
const LETTER_GROUPS = /\/eld\/src\/ngrams\/small\.js$/

/**
 * A plugin for Vite that has programs read that object as JSON. Parsed as JavaScript it blocks the start for 1.3 s and
 * leaves 150 MB with the process for good; as JSON 0.2 s and 43 MB.
 */
export const dataAsJson = {
  name: 'data-as-json',
  async transform(_, id) {
    if (!LETTER_GROUPS.test(id)) return null
    const { ngramsData } = await import(pathToFileURL(id).href)
    return { code: `export const ngramsData = JSON.parse(${JSON.stringify(JSON.stringify(ngramsData))})`, map: null }
  },
}
