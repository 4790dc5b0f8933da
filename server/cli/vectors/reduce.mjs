// The strongest directions of a sparse symmetric matrix: of thousands of numbers a word, some hundred are left.

/** Directions beyond those that are wanted, and rounds: the more, the nearer to the exact ones. */
const SPARE = 24
const ROUNDS = 3
/** How much strong directions count beside weak ones: 0 all the same, 1 as in the matrix. */
const STRENGTH = 0.5

/**
 * @param matrix by rows @param {number} dimension numbers of each row that are left
 * @returns {Float32Array} row after row
 */
export function reduced(matrix, dimension, random) {
  const { size } = matrix
  const width = Math.min(dimension + SPARE, size)
  let basis = Float32Array.from({ length: size * width }, () => gaussian(random))
  orthonormalise(basis, size, width)
  for (let round = 0; round < ROUNDS; round++) {
    basis = times(matrix, basis, width)
    orthonormalise(basis, size, width)
  }
  // once is not exact enough for what follows
  orthonormalise(basis, size, width)
  const image = times(matrix, basis, width)
  const small = crossed(basis, image, size, width)
  const { values, vectors } = eigen(small, width)
  const order = Array.from(values.keys()).sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]))
  const left = new Float32Array(size * dimension)
  for (let row = 0; row < size; row++)
    for (let to = 0; to < Math.min(dimension, width); to++) {
      const from = order[to]
      let sum = 0
      for (let at = 0; at < width; at++) sum += basis[row * width + at] * vectors[at * width + from]
      left[row * dimension + to] = sum * Math.abs(values[from]) ** STRENGTH
    }
  return left
}

/** The product of the matrix and `right`, which has `width` numbers a row. */
function times({ size, starts, columns, values }, right, width) {
  const product = new Float32Array(size * width)
  const sums = new Float64Array(width)
  for (let row = 0; row < size; row++) {
    sums.fill(0)
    for (let at = starts[row]; at < starts[row + 1]; at++) {
      const value = values[at]
      const from = columns[at] * width
      for (let place = 0; place < width; place++) sums[place] += value * right[from + place]
    }
    product.set(sums, row * width)
  }
  return product
}

/** Makes the columns perpendicular and as long as 1: by Cholesky. */
function orthonormalise(basis, size, width) {
  const lower = cholesky(ownProducts(basis, size, width), width)
  const row = new Float64Array(width)
  for (let at = 0; at < size; at++) {
    const start = at * width
    for (let column = 0; column < width; column++) {
      let value = basis[start + column]
      for (let before = 0; before < column; before++) value -= row[before] * lower[column * width + before]
      row[column] = value / lower[column * width + column]
    }
    basis.set(row, start)
  }
}

/** basis' x basis: the lower half, since the upper one is the same. */
function ownProducts(basis, size, width) {
  const product = new Float64Array(width * width)
  for (let row = 0; row < size; row++) {
    const from = row * width
    for (let at = 0; at < width; at++) {
      const value = basis[from + at]
      const to = at * width
      for (let other = 0; other <= at; other++) product[to + other] += value * basis[from + other]
    }
  }
  return product
}

/** left' x right, both with `width` numbers a row. */
export function crossed(left, right, size, width) {
  const product = new Float64Array(width * width)
  for (let row = 0; row < size; row++)
    for (let at = 0; at < width; at++) {
      const value = left[row * width + at]
      if (value === 0) continue
      const to = at * width
      const from = row * width
      for (let other = 0; other < width; other++) product[to + other] += value * right[from + other]
    }
  return product
}

function cholesky(matrix, width) {
  const lower = new Float64Array(width * width)
  for (let row = 0; row < width; row++)
    for (let column = 0; column <= row; column++) {
      let value = matrix[row * width + column]
      for (let before = 0; before < column; before++)
        value -= lower[row * width + before] * lower[column * width + before]
      lower[row * width + column] =
        row === column ? Math.sqrt(Math.max(value, 1e-12)) : value / lower[column * width + column]
    }
  return lower
}

/** Eigenvalues of a symmetric matrix and its vectors, as columns, by Jacobi's rotations. */
export function eigen(matrix, width) {
  const work = Float64Array.from(matrix)
  const vectors = new Float64Array(width * width)
  for (let at = 0; at < width; at++) vectors[at * width + at] = 1
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0
    let all = 0
    for (let row = 0; row < width; row++)
      for (let column = 0; column < width; column++) {
        const square = work[row * width + column] ** 2
        all += square
        if (row !== column) off += square
      }
    if (off <= 1e-18 * all) break
    for (let p = 0; p < width; p++) for (let q = p + 1; q < width; q++) rotate(work, vectors, width, p, q)
  }
  return { values: Float64Array.from({ length: width }, (_, at) => work[at * width + at]), vectors }
}

function rotate(work, vectors, width, p, q) {
  const off = work[p * width + q]
  if (Math.abs(off) < 1e-300) return
  const theta = (work[q * width + q] - work[p * width + p]) / (2 * off)
  const tangent = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  for (let at = 0; at < width; at++) {
    const first = work[p * width + at]
    const second = work[q * width + at]
    work[p * width + at] = cosine * first - sine * second
    work[q * width + at] = sine * first + cosine * second
  }
  for (const list of [work, vectors])
    for (let at = 0; at < width; at++) {
      const first = list[at * width + p]
      const second = list[at * width + q]
      list[at * width + p] = cosine * first - sine * second
      list[at * width + q] = sine * first + cosine * second
    }
}

function gaussian(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
