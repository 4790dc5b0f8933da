import { z } from 'zod'

const address = z
  .string()
  .refine(isHttp, 'give the address of a collector that speaks OTLP over HTTP, such as http://localhost:4318')
  .optional()

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** OpenTelemetry's own variables that switch traces on. Its others are read by its library. */
export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
}
type TraceVariables = z.infer<z.ZodObject<typeof traceVariables>>

/** Whether spans are sent to a collector: one is named, and nothing says that they are not. */
export const wantsTraces = (env: TraceVariables): boolean =>
  (env.OTEL_EXPORTER_OTLP_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) !== undefined &&
  env.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
  env.OTEL_TRACES_EXPORTER !== 'none'
