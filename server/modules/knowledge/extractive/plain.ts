/**
 * Prepares a piece of a passage for an answer: numbers in brackets would look like our citations; images and addresses
 * are removed. Delimiters can't nest in the pattern, which would otherwise be quadratic for unclosed ones.
 */
export const plain = (text: string): string =>
  text
    .replace(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replace(/\[([^[\]]+)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/\s?\[\d+\]/g, '')
    .replace(/(\*\*|__)(?=\S)((?:(?!\1).)+)(?<=\S)\1/g, '$2')
    .trim()

/**
 * An FAQ entry's answer with its links and bold words, which the caller validates like a model's. Numbers in brackets
 * and images are removed as above.
 */
export const asWritten = (text: string): string =>
  text
    .replace(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replace(/\s?\[\d+\](?:\((?:[^()]|\([^()]*\))*\))?/g, '')
    .trim()
