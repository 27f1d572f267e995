/** A value of which nothing is changed. */
export type DeepReadonly<Value> = Value extends readonly (infer Member)[]
  ? readonly DeepReadonly<Member>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value
