/** The parser package, loaded when a text is not plain; imported here and nowhere else. */
export { forEachChild, parse } from "unbash";
