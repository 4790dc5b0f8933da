// Turns the vectors of one language so that its words lie where their translations in another do.
import { crossed } from './reduce.mjs'

/** Rows about their mean, each as long as 1. @param vectors row after row; changed */
export function centred(vectors, dimension) {
  const size = vectors.length / dimension
  const mean = new Float64Array(dimension)
  normalise(vectors, dimension)
  for (let row = 0; row < size; row++)
    for (let at = 0; at < dimension; at++) mean[at] += vectors[row * dimension + at] / size
  for (let row = 0; row < size; row++) for (let at = 0; at < dimension; at++) vectors[row * dimension + at] -= mean[at]
  return normalise(vectors, dimension)
}

export function normalise(vectors, dimension) {
  for (let from = 0; from < vectors.length; from += dimension) {
    let square = 0
    for (let at = 0; at < dimension; at++) square += vectors[from + at] ** 2
    const length = Math.sqrt(square) || 1
    for (let at = 0; at < dimension; at++) vectors[from + at] /= length
  }
  return vectors
}

/**
 * Orthogonal Procrustes: the rotation that brings the first rows of pairs nearest to the second ones, applied to all.
 * @param {{ from: number, to: number, weight: number }[]} pairs
 */
export function turned(vectors, target, pairs, dimension) {
  const left = new Float32Array(pairs.length * dimension)
  const right = new Float32Array(pairs.length * dimension)
  for (const [row, { from, to, weight }] of pairs.entries())
    for (let at = 0; at < dimension; at++) {
      left[row * dimension + at] = vectors[from * dimension + at] * weight
      right[row * dimension + at] = target[to * dimension + at]
    }
  const rotation = nearestRotation(crossed(left, right, pairs.length, dimension), dimension)
  const size = vectors.length / dimension
  const result = new Float32Array(vectors.length)
  for (let row = 0; row < size; row++)
    for (let at = 0; at < dimension; at++) {
      const value = vectors[row * dimension + at]
      for (let to = 0; to < dimension; to++) result[row * dimension + to] += value * rotation[at * dimension + to]
    }
  return result
}

/** By Newton's method: the mean of a matrix and its transposed inverse, again and again. */
function nearestRotation(matrix, dimension) {
  let current = matrix
  for (let step = 0; step < 40; step++) {
    const inverse = inverted(current, dimension)
    // both of one size, or it would take long
    const scale = Math.sqrt(norm(inverse) / norm(current))
    let change = 0
    const next = new Float64Array(current.length)
    for (let row = 0; row < dimension; row++)
      for (let column = 0; column < dimension; column++) {
        const at = row * dimension + column
        next[at] = (scale * current[at] + inverse[column * dimension + row] / scale) / 2
        change += (next[at] - current[at]) ** 2
      }
    current = next
    if (change < 1e-18 * dimension) break
  }
  return current
}

const norm = (matrix) => Math.sqrt(matrix.reduce((sum, value) => sum + value * value, 0))

/** By Gauss and Jordan, with the greatest pivot. */
function inverted(matrix, dimension) {
  const width = 2 * dimension
  const lines = Array.from({ length: dimension }, (_, row) => {
    const line = new Float64Array(width)
    line.set(matrix.subarray(row * dimension, (row + 1) * dimension))
    line[dimension + row] = 1
    return line
  })
  for (let at = 0; at < dimension; at++) {
    let best = at
    for (let row = at + 1; row < dimension; row++) if (Math.abs(lines[row][at]) > Math.abs(lines[best][at])) best = row
    const line = lines[best]
    lines[best] = lines[at]
    lines[at] = line
    const pivot = line[at] || 1e-12
    for (let column = at; column < width; column++) line[column] /= pivot
    for (let row = 0; row < dimension; row++) {
      const factor = lines[row][at]
      if (row === at || factor === 0) continue
      for (let column = at; column < width; column++) lines[row][column] -= factor * line[column]
    }
  }
  const inverse = new Float64Array(dimension * dimension)
  for (const [row, line] of lines.entries()) inverse.set(line.subarray(dimension), row * dimension)
  return inverse
}
