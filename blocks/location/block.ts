import { defineBlock, type FieldProblem } from '../../engine/flow/defineBlock'
import { note, render, sayMessage } from '../../engine/flow/steps'
import { dynamicValueVariables, isBlankValue } from '../../engine/values/dynamicValue'
import { parseNumber } from '../../engine/values/rules'
import { locationDefaults, locationSchema } from './schema'

const LIMITS = { latitude: { min: -90, max: 90 }, longitude: { min: -180, max: 180 } } as const
const axes = ['latitude', 'longitude'] as const
const PROBLEMS = {
  latitude: 'Enter a latitude between -90 and 90, such as 51.5074',
  longitude: 'Enter a longitude between -180 and 180, such as -0.1278',
} as const

/** Shows a place: on a map where the channel has one, else its name, address and a link to a map. */
export const location = defineBlock({
  kind: 'location',
  category: 'bubble',
  title: 'Location',
  help: 'Shows a place on a map.',
  schema: locationSchema,
  defaults: locationDefaults,
  visitorTexts: ['name', 'address'],
  ports: () => [{ id: 'next' }],
  reads: ({ latitude, longitude, name, address }) =>
    [latitude, longitude, name, address].flatMap(dynamicValueVariables),
  problems: (data) =>
    axes.flatMap((path): FieldProblem[] => {
      const value = data[path]
      const isWrong = value.type === 'static' && parseNumber(value.value, LIMITS[path]) === null
      return isBlankValue(value) || isWrong ? [{ path, message: PROBLEMS[path] }] : []
    }),
  *run(data) {
    const latitude = parseNumber(yield* render(data.latitude), LIMITS.latitude)
    const longitude = parseNumber(yield* render(data.longitude), LIMITS.longitude)
    if (latitude === null || longitude === null) {
      yield* note(PROBLEMS[latitude === null ? 'latitude' : 'longitude'])
      return 'next'
    }
    const [name, address] = [(yield* render(data.name)).trim(), (yield* render(data.address)).trim()]
    const link = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
    const lines = [
      ...(name === '' ? [] : [{ text: name, bold: true as const }]),
      ...(address === '' ? [] : [{ text: address }]),
      { text: `${latitude}, ${longitude}`, link },
    ]
    yield* sayMessage({
      kind: 'text',
      text: lines.map((line) => ({ type: 'paragraph', children: [line] })),
      native: { type: 'location', latitude, longitude, name, address },
    })
    return 'next'
  },
})
