import { expect, test } from 'vitest'
import type { Json } from './json'
import { jsonPathOf, jsonPathProblem, readJsonPath } from './jsonPath'

const store: Json = {
  book: [
    { category: 'reference', author: 'Nigel Rees', price: 8.95 },
    { category: 'fiction', author: 'Evelyn Waugh', price: 12.99 },
    { category: 'fiction', author: 'Herman Melville', isbn: '0-553-21311-3', price: 8.99 },
  ],
  bicycle: { color: 'red', price: 399, tags: [] },
  'a b': { "o'clock": 1 },
  none: null,
}

test.each<[string, Json]>([
  ['$', store],
  ['$.bicycle.color', 'red'],
  ["$['a b']['o\\'clock']", 1],
  ['$.book[0].author', 'Nigel Rees'],
  ['$.book[-1].price', 8.99],
  ['$.book[7]', null],
  ['$.bicycle[0]', null],
  ['$.none', null],
  ['$.none.deeper', null],
  ['$.book.length', null],
  ['$.constructor', null],
  ['$.__proto__', null],
  ['$.book[*].price', [8.95, 12.99, 8.99]],
  ['$..price', [8.95, 12.99, 8.99, 399]],
  ['$.book[0:2].price', [8.95, 12.99]],
  ['$.book[::-1].price', [8.99, 12.99, 8.95]],
  ['$.book[5:0:-2].price', [8.99]],
  ['$.book[-2:].price', [12.99, 8.99]],
  ['$.book[::0]', []],
  ['$.book[0,2].price', [8.95, 8.99]],
  ['$.book[?@.price < 9].author', ['Nigel Rees', 'Herman Melville']],
  ['$.book[?@.isbn].author', ['Herman Melville']],
  ['$.book[?!@.isbn].price', [8.95, 12.99]],
  ["$.book[?@.category == 'fiction' && @.price > 9].price", [12.99]],
  ["$.book[?@.author == 'x' || @['price'] >= 12.99].price", [12.99]],
  ['$.book[?@.isbn == $.nothing].price', [8.95, 12.99]],
  ['$.book[?@.price == $.book[0].price].price', [8.95]],
  ["$.book[?search(@.author, 'n$|^N')].price", [8.95]],
  ["$.book[?match(@.category, 'fic.*')].price", [12.99, 8.99]],
  ['$.book[?length(@.author) == 10].price', [8.95]],
  ['$[?count(@[*]) == 3].color', ['red']],
  ['$.bicycle[?@ == "red"]', ['red']],
  ['$..book[?value(@..price) == 8.99].isbn', ['0-553-21311-3']],
])('%s', (path, value) => {
  expect(jsonPathProblem(path)).toBe(null)
  expect(readJsonPath(path, store)).toEqual(value)
})

test.each([
  ['', 'Start with $'],
  ['name', 'Start with $'],
  ['$.', 'beyond its end'],
  ['$.a[', 'beyond its end'],
  ['$.a b', 'at character 5, “b”'],
  ['$[?@.a = 1]', 'at character'],
  ["$['a]", 'beyond its end'],
  [`$.${'a'.repeat(499)}`, 'must not exceed 500 characters'],
])('%s is no path', (path, problem) => {
  expect(jsonPathProblem(path)).toContain(problem)
  expect(readJsonPath(path, store)).toBe(null)
})

test('a path that would look at more than half a million values finds nothing', () => {
  const wide: Json = Array.from({ length: 1000 }, () => Array.from({ length: 100 }, () => ({ a: 1 })))
  expect(readJsonPath('$..a', wide)).toHaveLength(10_000)
  for (const path of ['$..*..*', '$[?$..a]', '$..[?@..[?@..a]]', "$..[?search($..b, '(a+)+$')]"]) {
    expect(readJsonPath(path, wide)).toBe(null)
  }
})

test('the path of a place leads to it', () => {
  const places = [[], ['a'], ['a', 0, 'b c'], ["it's", 'say "hi"', '\\ \n ü', ''], [3, '$', '0']]
  for (const steps of places) {
    const value = steps.reduceRight<Json>((inner, step) => {
      if (typeof step === 'string') return { [step]: inner }
      const list: Json[] = Array.from({ length: step }, () => null)
      return [...list, inner]
    }, 'here')
    expect(readJsonPath(jsonPathOf(steps), value)).toBe('here')
  }
  expect(jsonPathOf(['items', 0, 'full name'])).toBe("$.items[0]['full name']")
})
