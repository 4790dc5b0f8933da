/** JSON starts with a bracket, a quote, a digit or a word; YAML's first line is a key, a comment or a marker. */
export const isYaml = (text: string): boolean => YAML_START.test(text.slice(0, 1_000))

const YAML_START = /^\s*(?:---|%YAML|#|-\s|["']?[A-Za-z_][\w .-]*["']?\s*:(?:\s|$))/
