/** Shares one running question, and caches its answer for `fresh` ms: for what anybody may ask at any time. */
export function once<Value>(fresh: number, ask: () => Promise<Value>): () => Promise<Value> {
  let last: { at: number; answer: Promise<Value> } | null = null
  return () => {
    if (!last || performance.now() - last.at > fresh) last = { at: performance.now(), answer: ask() }
    return last.answer
  }
}

/** The same answer. @throws if it is not there after so many ms */
export function within<Value>(ms: number, answer: Promise<Value>): Promise<Value> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`no answer within ${ms} ms`)), ms)
    answer.then(done, fail).finally(() => clearTimeout(timer))
  })
}
