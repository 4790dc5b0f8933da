/**
 * A piece of a passage as it can stand in an answer: numbers in brackets would be taken for citations of ours, pictures and addresses
 * are the passage's own to show. Words stay as they are. What stands between two marks holds no such mark: else each one that opens is
 * followed to the end of the text.
 */
export const plain = (text: string): string =>
  text
    .replace(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replace(/\[([^[\]]+)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/\s?\[\d+\]/g, '')
    .replace(/(\*\*|__)(?=\S)((?:(?!\1).)+)(?<=\S)\1/g, '$2')
    .trim()

/**
 * An answer that somebody wrote as it is to be said: its links and its bold words with it, which whoever says it checks as a model's. Numbers
 * in brackets and pictures go as above.
 */
export const asWritten = (text: string): string =>
  text
    .replace(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replace(/\s?\[\d+\](?:\((?:[^()]|\([^()]*\))*\))?/g, '')
    .trim()
