const SHARDS = 256

/**
 * An immutable map: `with` returns a new one that shares all untouched shards, so that an edit of a flow with thousands
 * of blocks copies some dozens of entries. Iteration goes by shard, in the same order for the same keys.
 */
export class ShardedMap<V> implements ReadonlyMap<string, V> {
  private constructor(
    private readonly shards: readonly (ReadonlyMap<string, V> | undefined)[],
    readonly size: number,
  ) {}

  static empty<V>(): ShardedMap<V> {
    return new ShardedMap<V>(new Array(SHARDS).fill(undefined), 0)
  }

  /** Sets values; `undefined` removes the key. Returns the same map when nothing differs. */
  with(changes: Iterable<readonly [string, V | undefined]>): ShardedMap<V> {
    const fresh = new Map<number, Map<string, V>>()
    let size = this.size
    for (const [key, value] of changes) {
      const at = shardOf(key)
      const present = fresh.get(at) ?? this.shards[at]
      if (present?.get(key) === value) continue
      const shard = fresh.get(at) ?? new Map(present)
      fresh.set(at, shard)
      size -= shard.size
      if (value === undefined) shard.delete(key)
      else shard.set(key, value)
      size += shard.size
    }
    if (fresh.size === 0) return this
    const shards = this.shards.slice()
    for (const [at, shard] of fresh) shards[at] = shard
    return new ShardedMap(shards, size)
  }

  /** Keys whose values are not identical in both; visits only shards that differ. */
  *keysThatDiffer(other: ShardedMap<V>): Generator<string> {
    for (const [at, shard] of this.shards.entries()) {
      const others = other.shards[at]
      if (shard === others) continue
      for (const [key, value] of shard ?? []) if (others?.get(key) !== value) yield key
      for (const key of others?.keys() ?? []) if (!shard?.has(key)) yield key
    }
  }

  get(key: string): V | undefined {
    return this.shards[shardOf(key)]?.get(key)
  }
  has(key: string): boolean {
    return this.shards[shardOf(key)]?.has(key) ?? false
  }
  *entries(): MapIterator<[string, V]> {
    for (const shard of this.shards) if (shard) yield* shard.entries()
  }
  *keys(): MapIterator<string> {
    for (const shard of this.shards) if (shard) yield* shard.keys()
  }
  *values(): MapIterator<V> {
    for (const shard of this.shards) if (shard) yield* shard.values()
  }
  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries()
  }
  forEach(run: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this) run(value, key, this)
  }
}

function shardOf(key: string): number {
  let hash = 0
  for (let i = 0; i < key.length; i++) hash = (hash * 31 + key.charCodeAt(i)) | 0
  return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (SHARDS - 1)
}
