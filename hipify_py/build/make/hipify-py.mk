# hipify-py in a makefile:
#
#   include $(shell python3 -m hipify_py --make-fragment)
#   SOURCES := $(call hipify_py_sources,src/a.cu src/b.cu main.cpp)
#   OBJECTS := $(SOURCES:%=%.o)
#   app: $(OBJECTS); $(HIPCC) -o $@ $^
#
# The translations lie below HIPIFY_DIR, local headers beside them. A change of a source or of a header of it translates
# again. `%.hip.o: %.hip` and `%.cpp.o: %.cpp` compile with HIPCC and HIPFLAGS; rules of your own win.
HIPIFY_PYTHON ?= python3
HIPIFY_DIR ?= hip
HIPIFY_FLAGS ?=
HIPCC ?= hipcc
HIPFLAGS ?= -O3

hipify_py_sources = $(patsubst %,$(HIPIFY_DIR)/%,$(patsubst %.cu,%.hip,$(1)))

$(HIPIFY_DIR)/%.hip: %.cu
	@mkdir -p $(@D)
	$(HIPIFY_PYTHON) -m hipify_py.build $< -o $@ --root . --depfile $@.d --touch $(HIPIFY_FLAGS)

$(HIPIFY_DIR)/%.cpp: %.cpp
	@mkdir -p $(@D)
	$(HIPIFY_PYTHON) -m hipify_py.build $< -o $@ --root . --depfile $@.d --touch $(HIPIFY_FLAGS)

%.hip.o: %.hip
	$(HIPCC) $(HIPFLAGS) -c $< -o $@

%.cpp.o: %.cpp
	$(HIPCC) $(HIPFLAGS) -c $< -o $@

.PRECIOUS: $(HIPIFY_DIR)/%.hip $(HIPIFY_DIR)/%.cpp

-include $(shell find $(HIPIFY_DIR) -name '*.d' 2>/dev/null)
