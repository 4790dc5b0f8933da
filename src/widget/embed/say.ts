/** Tells who put the line into a page what is wrong: visitors are shown nothing of it. */
export const complain = (text: string): void => globalThis.console.warn(`Parley: ${text}`)
