/**
 * A piece of a passage as it can stand in an answer: numbers in brackets would be taken for citations of ours, pictures and addresses
 * are the passage's own to show. Words stay as they are.
 */
export const plain = (text: string): string =>
  text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]+)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/\s?\[\d+\]/g, '')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .trim()
