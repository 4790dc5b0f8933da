/** The least letters of a stem. */
const LEAST = 4

/** Endings of eight languages, without marks: English, German, Dutch; Spanish, French, Italian, Portuguese; Polish. */
const ENDINGS = `
  ings ing edly ers ern est ed er en em es et st ly e s n t
  iendo ando endo indo ados adas idos idas ado ada ido ida amos emos imos aient ions ons ez ees ee ent ant ait ais
  ar ir re are ere ire ato ata ati ate ito uto os as is o a i oes ao aes
  ego emu ych ymi imi ami ach owi ow om ie ia iu y u ac ic yc`

const endings = new Set(ENDINGS.trim().split(/\s+/))
const LONGEST = Math.max(...[...endings].map(({ length }) => length))

/** A word without its longest ending, roughly. @param word in lower case, without marks */
export function stemOf(word: string): string {
  for (let length = Math.min(LONGEST, word.length - LEAST); length > 0; length--)
    if (endings.has(word.slice(-length))) return word.slice(0, -length)
  return word
}
