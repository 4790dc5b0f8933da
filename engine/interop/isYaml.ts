/** JSON begins with a bracket, a quote, a digit or a word; of YAML the first line is a key, a comment or a mark. */
export const isYaml = (text: string): boolean => YAML_START.test(text.slice(0, 1_000))

const YAML_START = /^\s*(?:---|%YAML|#|-\s|["']?[A-Za-z_][\w .-]*["']?\s*:(?:\s|$))/
