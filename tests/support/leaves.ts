/** All places of a JSON value that hold no further ones, with what each holds; places of a list have one name. */
export function leavesOf(value: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) {
    if (value.length === 0) found.set(`${path}[]`, found.get(`${path}[]`) ?? '')
    for (const each of value) leavesOf(each, `${path}[]`, found)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) leavesOf(each, path ? `${path}.${key}` : key, found)
  } else found.set(path, `${found.get(path) ?? ''}${JSON.stringify(value)}`)
  return found
}
